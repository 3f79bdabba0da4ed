import { Annotations, CfnOutput, CfnResource, Token, TokenComparison } from 'aws-cdk-lib';
import type { Grant, IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction, IVersion } from 'aws-cdk-lib/aws-lambda';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct, type Node } from 'constructs';
import { MINT_KEY_OUTPUT } from '../shared/settings/stack-outputs.ts';
import { keyStatements } from './data/encryption-key.ts';
import { OwnSecret } from './data/secrets.ts';
import type { DeploymentSettings } from './settings/settings.ts';
import { SettingsError } from './settings/settings-error.ts';

const ENVIRONMENT = { url: 'CANVASS_URL', secretId: 'CANVASS_MINT_KEY_SECRET_ID' } as const;

/** The mint key of each function. The map's key is the node that all singletons of one function share. */
const pointed = new WeakMap<Node, MintKey>();

interface WithEnvironment {
  addEnvironment(name: string, value: string): unknown;
}

/** This check also works if the app has a second copy of aws-cdk-lib. */
const isFunction = (grantee: IGrantable): grantee is IFunction => 'functionArn' in grantee;
const isQualified = (called: IFunction): called is IVersion => 'lambda' in called;
const takesEnvironment = (minting: IFunction): minting is IFunction & WithEnvironment =>
  'addEnvironment' in minting;

/**
 * The secret is created empty. CloudFormation never overwrites the operator's key (CloudFormation,
 * AWS::SecretsManager::Secret: SecretString).
 */
export class MintKey extends Construct {
  readonly secret: Secret;
  readonly #url: string;
  readonly #keyStatements: readonly PolicyStatement[];

  constructor(scope: Construct, id: string, settings: DeploymentSettings, url: string) {
    super(scope, id);
    this.#url = url;
    this.#keyStatements = keyStatements({ ...settings, existing: undefined }, 'secretsmanager');
    const secret = new OwnSecret(this, 'Secret', settings, {
      what: 'mint-key',
      description: 'Canvass: a secret key with the scope mint, filled in by the operator',
      whyNotRotated:
        'The operator rotates the key: creates a new one, stores it here and revokes the old one.',
    });
    const resource = secret.node.defaultChild;
    if (resource instanceof CfnResource) resource.addPropertyDeletionOverride('GenerateSecretString');
    new CfnOutput(scope, MINT_KEY_OUTPUT, { value: secret.plainName });
    this.secret = secret;
  }

  grant(grantee: IGrantable): Grant {
    if (isFunction(grantee)) this.#point(isQualified(grantee) ? grantee.lambda : grantee);
    // The CDK cannot change the policy of an imported key.
    for (const statement of this.#keyStatements) grantee.grantPrincipal.addToPrincipalPolicy(statement);
    return this.secret.grantRead(grantee);
  }

  #point(minting: IFunction): void {
    const { node, permissionsNode, env } = minting;
    const here = this.secret.env.region;
    if (Token.compareStrings(env.region, here) === TokenComparison.DIFFERENT) {
      throw new SettingsError(
        `${node.path} is in ${env.region} and can read secrets only there, but this Canvass is in ${here}. ` +
          `Create a secret with a key in ${env.region}, and set the function's variables yourself.`,
      );
    }
    if (!takesEnvironment(minting)) {
      Annotations.of(minting).addWarningV2(
        '@canvass-surveys/cdk:mintEnvironment',
        `Set ${ENVIRONMENT.url} and ${ENVIRONMENT.secretId} where this function is defined: an imported function accepts no environment variables.`,
      );
      return;
    }
    if ((pointed.get(permissionsNode) ?? this) !== this) {
      throw new SettingsError(
        `${node.path} already mints for another Canvass. Grant this one to the function's role, and set other variables yourself.`,
      );
    }
    pointed.set(permissionsNode, this);
    minting.addEnvironment(ENVIRONMENT.url, this.#url);
    minting.addEnvironment(ENVIRONMENT.secretId, this.secret.secretArn);
  }
}
