import { CfnOutput, CfnResource, Validations } from 'aws-cdk-lib';
import type { Grant, IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { keyStatements } from './data/encryption-key.ts';
import { secretProtection } from './data/secrets.ts';
import type { DeploymentSettings } from './settings/settings.ts';
import { SettingsError } from './settings/settings-error.ts';

/** By which a function knows where to mint, and what `GetSecretValue` takes for its key (lib/README.md). */
const ENVIRONMENT = { url: 'CANVASS_URL', secretId: 'CANVASS_MINT_KEY_SECRET_ID' } as const;

/** Which deployment a function was pointed to. */
const pointed = new WeakMap<LambdaFunction, MintKey>();

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
    new CfnOutput(scope, 'MintKeySecretName', { value: secret.secretName });
    this.secret = secret;
  }

  /** @throws SettingsError when a function already mints at another deployment */
  grant(grantee: IGrantable): Grant {
    if (grantee instanceof LambdaFunction) this.#point(grantee);
    // A key that is known by its ARN has no policy that the CDK could add to.
    for (const statement of this.#keyStatements) grantee.grantPrincipal.addToPrincipalPolicy(statement);
    return this.secret.grantRead(grantee);
  }

  #point(minting: LambdaFunction): void {
    if ((pointed.get(minting) ?? this) !== this) {
      throw new SettingsError(
        `${minting.node.path} mints at another Canvass: grant the second one to its role, and set variables of its own.`,
      );
    }
    pointed.set(minting, this);
    minting.addEnvironment(ENVIRONMENT.url, this.#url);
    minting.addEnvironment(ENVIRONMENT.secretId, this.secret.secretArn);
  }
}
