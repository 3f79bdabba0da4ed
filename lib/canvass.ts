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
import { createService } from './service.ts';
import { settingsOfProps } from './settings/props-to-settings.ts';
import type { DeploymentSettings } from './settings/settings.ts';
import { guardStage, refuseCrowds, refuseTwins } from './settings/stage-guard.ts';

/** The service's HTTP API. */
export interface CanvassApi {
  /** The base URL for clients, without a path. */
  readonly url: string;
  /** The API Gateway API. */
  readonly http: HttpApi;
}

const settingsOfEach = new WeakMap<Canvass, DeploymentSettings>();

/** @internal */
export function settingsOf(canvass: Canvass): DeploymentSettings {
  const settings = settingsOfEach.get(canvass);
  if (settings === undefined) throw new TypeError('The construct is not a Canvass of this package');
  return settings;
}

/**
 * One stage of Canvass in any stack: two tables, two secrets, an HTTP API with a function for each route, background
 * functions, alarms with an SNS topic, and the outputs by which the CLI finds them. With the id `Default` its logical
 * ids equal those of a stage deployed from a checkout.
 */
export class Canvass extends Construct {
  /** The API, and its address for clients. */
  readonly api: CanvassApi;
  /** Answers, surveys and keys. The item format is internal and can change in any version. */
  readonly table: ITable;
  /** By route name, such as `bootstrap` or `mint-tokens`, and by name for background functions, such as `on-change`. */
  readonly functions: ReadonlyMap<string, IFunction>;
  /** The topic that receives all alarms. */
  readonly alarmTopic: ITopic;

  /** @throws SettingsError naming each invalid prop */
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
    // "Default" is not part of a logical id (AWS CDK, "Logical IDs"), so it must not be part of the guard's either.
    guardStage(id === 'Default' ? scope : new Construct(this, 'Guard'), settings);
  }

  /**
   * Lets a grantee read the secret key that mints show-tokens and links. A function also gets the environment variables
   * `CANVASS_URL` and `CANVASS_MINT_KEY_SECRET_ID`. The first call creates the secret, empty: the operator fills in a
   * secret key with the scope `mint`. The key cannot read results or personal data. For an alias or a version, the
   * variables are set on its function. An imported function accepts no environment variables, which causes a warning.
   * @throws SettingsError if a function already mints for another Canvass, or is in another region
   */
  grantMint(grantee: IGrantable): Grant {
    return this.#mintKey().grant(grantee);
  }

  /** The secret of `grantMint`, for callers such as containers. The first call creates it. */
  mintKeySecret(): Secret {
    return this.#mintKey().secret;
  }

  #mintKey(): MintKey {
    const id = 'MintKey';
    const known = this.node.tryFindChild(id);
    return known instanceof MintKey ? known : new MintKey(this, id, settingsOf(this), this.api.url);
  }
}
