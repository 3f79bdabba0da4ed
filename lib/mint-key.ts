import { Annotations, CfnOutput, CfnResource, Token, TokenComparison, Validations } from 'aws-cdk-lib';
import type { Grant, IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction, IVersion } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct, type Node } from 'constructs';
import { MINT_KEY_OUTPUT } from '../shared/settings/mint-key-output.ts';
import { keyStatements } from './data/encryption-key.ts';
import { secretProtection } from './data/secrets.ts';
import type { DeploymentSettings } from './settings/settings.ts';
import { SettingsError } from './settings/settings-error.ts';

/** By which a function knows where to mint, and what `GetSecretValue` takes for its key (lib/README.md). */
const ENVIRONMENT = { url: 'CANVASS_URL', secretId: 'CANVASS_MINT_KEY_SECRET_ID' } as const;

/** Which deployment a function was pointed to, by the node that all singletons of one function have in common. */
const pointed = new WeakMap<Node, MintKey>();

interface WithEnvironment {
  addEnvironment(name: string, value: string): unknown;
}

/** Told by what they have, which holds for a second copy of aws-cdk-lib, too. */
const isFunction = (grantee: IGrantable): grantee is IFunction => 'functionArn' in grantee;
const isQualified = (called: IFunction): called is IVersion => 'lambda' in called;
const takesEnvironment = (minting: IFunction): minting is IFunction & WithEnvironment =>
  'addEnvironment' in minting;

/**
 * The secret in which the operator puts a secret key that may mint and no more. It is made empty: CloudFormation never
 * writes it, so no deployment puts another text in its place (CloudFormation, AWS::SecretsManager::Secret: SecretString).
 */
export class MintKey extends Construct {
  readonly secret: Secret;
  readonly #url: string;
  readonly #keyStatements: readonly PolicyStatement[];

  constructor(scope: Construct, id: string, settings: DeploymentSettings, url: string) {
    super(scope, id);
    this.#url = url;
    this.#keyStatements = keyStatements({ ...settings, existing: undefined }, 'secretsmanager');
    const secret = new Secret(this, 'Secret', {
      description: 'Canvass: a secret key with the scope mint, which the operator puts in',
      ...secretProtection(this, settings),
    });
    const resource = secret.node.defaultChild;
    if (resource instanceof CfnResource) resource.addPropertyDeletionOverride('GenerateSecretString');
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'The operator makes keys, puts the new one in and revokes the old one.',
    });
    new CfnOutput(scope, MINT_KEY_OUTPUT, { value: secret.secretName });
    this.secret = secret;
  }

  /** @throws SettingsError when a function already mints at another deployment, or is in another region */
  grant(grantee: IGrantable): Grant {
    // An alias or a version has the environment of its function.
    if (isFunction(grantee)) this.#point(isQualified(grantee) ? grantee.lambda : grantee);
    // A key that is known by its ARN has no policy that the CDK could add to.
    for (const statement of this.#keyStatements) grantee.grantPrincipal.addToPrincipalPolicy(statement);
    return this.secret.grantRead(grantee);
  }

  #point(minting: IFunction): void {
    const { node, permissionsNode, env } = minting;
    const here = this.secret.env.region;
    if (Token.compareStrings(env.region, here) === TokenComparison.DIFFERENT) {
      throw new SettingsError(
        `${node.path} is in ${env.region} and reads secrets of its own region; this Canvass is in ${here}. ` +
          'Put a key into a secret there, and set variables of its own.',
      );
    }
    if (!takesEnvironment(minting)) {
      Annotations.of(minting).addWarningV2(
        '@canvass-surveys/cdk:mintEnvironment',
        `Set ${ENVIRONMENT.url} and ${ENVIRONMENT.secretId} where this function is made: here it takes no environment.`,
      );
      return;
    }
    if ((pointed.get(permissionsNode) ?? this) !== this) {
      throw new SettingsError(
        `${node.path} mints at another Canvass: grant the second one to its role, and set variables of its own.`,
      );
    }
    pointed.set(permissionsNode, this);
    minting.addEnvironment(ENVIRONMENT.url, this.#url);
    minting.addEnvironment(ENVIRONMENT.secretId, this.secret.secretArn);
  }
}
