import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { ROUTES } from '../shared/contract/routes.ts';
import type { CanvassProps } from './canvass-props.ts';
import { letServicesUse } from './data/encryption-key.ts';
import { MintKey } from './mint-key.ts';
import { refuseCrowds, refuseTwins } from './neighbours.ts';
import { createService } from './service.ts';
import { settingsOfProps } from './settings/props-to-settings.ts';
import type { DeploymentSettings } from './settings/settings.ts';
import { guardStage } from './settings/stage-guard.ts';

/** Where the service answers. */
export interface CanvassApi {
  /** Where clients reach the service, without a path. */
  readonly url: string;
  readonly http: HttpApi;
}

const settingsOfEach = new WeakMap<Canvass, DeploymentSettings>();

/** @internal */
export function settingsOf(canvass: Canvass): DeploymentSettings {
  const settings = settingsOfEach.get(canvass);
  if (settings === undefined) throw new TypeError('it is no Canvass of this package');
  return settings;
}

/**
 * One stage of Canvass in any stack: two tables, two secrets, an HTTP API with a function for each route, the functions
 * of the stream and of purges, alarms with their topic, and the outputs by which the operator's command
 * line finds them. With the id `Default` it has the logical ids of a stage that was deployed from a checkout.
 */
export class Canvass extends Construct {
  readonly api: CanvassApi;
  /** Answers, surveys, keys. Its items are no interface: what reads them breaks with any version. */
  readonly table: ITable;
  /** By route name, such as `bootstrap` or `mint-tokens`; those behind requests by theirs, such as `on-change`. */
  readonly functions: ReadonlyMap<string, IFunction>;
  /** Where alarms go. */
  readonly alarmTopic: ITopic;

  /** @throws SettingsError naming each prop that is wrong */
  constructor(scope: Construct, id: string, props: CanvassProps) {
    super(scope, id);
    const names = ROUTES.map(({ name }) => name);
    const settings = settingsOfProps(props, this.node.path, names);
    refuseTwins(this, settings);
    refuseCrowds(this);
    settingsOfEach.set(this, settings);
    if (props.kmsKey !== undefined) letServicesUse(props.kmsKey);
    const { api, table, functions, alarmTopic } = createService(this, settings, ROUTES, props.alarmTopic);
    this.api = api;
    this.table = table.resource;
    this.functions = functions;
    this.alarmTopic = alarmTopic;
    // "Default" is no part of a logical id (AWS CDK, "Logical IDs"): neither is it of the guard's.
    guardStage(id === 'Default' ? scope : new Construct(this, 'Guard'), settings);
  }

  /**
   * Lets a grantee read the key with which it mints show-tokens and links. A function is also told where the service and
   * the secret are, in `CANVASS_URL` and `CANVASS_MINT_KEY_SECRET_ID`. The first call makes the secret, empty: the
   * operator puts a secret key with the scope `mint` in it. It opens neither results nor anybody's data.
   * An alias or a version stands for its function. One that was only imported takes no environment, which is a warning.
   * @throws SettingsError when a function already mints at another Canvass, or is in another region
   */
  grantMint(grantee: IGrantable): Grant {
    return this.#mintKey().grant(grantee);
  }

  /** The secret of `grantMint`, for what takes no environment from there, such as a container. The first call makes it. */
  mintKeySecret(): Secret {
    return this.#mintKey().secret;
  }

  #mintKey(): MintKey {
    const id = 'MintKey';
    const known = this.node.tryFindChild(id);
    return known instanceof MintKey ? known : new MintKey(this, id, settingsOf(this), this.api.url);
  }
}
