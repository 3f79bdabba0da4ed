import { ArnFormat, Aws, Fn, RemovalPolicy, SecretValue, Stack, Validations } from 'aws-cdk-lib';
import { Secret, type SecretProps } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { SecretName } from '../../shared/contract/route.ts';
import { type DeploymentSettings, metricsNamespace } from '../settings/settings.ts';
import { encryptionKey } from './encryption-key.ts';

/**
 * A retained secret keeps its name, so the name contains a part of the stack's id, too. It does not end in a hyphen and
 * six characters (Secrets Manager, CreateSecret: Name).
 */
export function nameOfSecret(what: string, settings: DeploymentSettings): { readonly secretName?: string } {
  if (settings.secretNames !== 'stack') return {};
  const ofStack = Fn.select(0, Fn.split('-', Fn.select(2, Fn.split('/', Aws.STACK_ID))));
  return { secretName: `${Aws.STACK_NAME}/${metricsNamespace(settings)}/${what}-${ofStack}` };
}

export function secretProtection(
  scope: Construct,
  { removalPolicy, kmsKeyArn }: DeploymentSettings,
): Pick<SecretProps, 'removalPolicy' | 'encryptionKey'> {
  const key = encryptionKey(scope, kmsKeyArn);
  return {
    removalPolicy: removalPolicy === 'retain' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    ...(key !== undefined && { encryptionKey: key }),
  };
}

/** The ARN of a secret in the stack's account, for grants. Secrets Manager appends a suffix to names. */
export function secretArn(scope: Construct, nameOrArn: string): string {
  if (nameOrArn.startsWith('arn:')) return nameOrArn;
  return Stack.of(scope).formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    resourceName: `${nameOrArn}-??????`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
}

/** CloudFormation resolves this reference, by default to the current version. */
export const secretValue = (id: string, versionId: string | undefined): SecretValue =>
  SecretValue.secretsManager(id, versionId === undefined ? {} : { versionId });

const HASH_SECRET = 'hash-secret';
const TOKEN_RING = 'token-ring';

/**
 * A changed logical id or generation property would generate the secrets again. A new hash secret would lose every
 * suppression.
 */
export class ServiceSecrets extends Construct {
  readonly arns: Readonly<Record<SecretName, string>>;
  readonly names: Readonly<Record<SecretName, string>>;

  constructor(scope: Construct, id: string, settings: DeploymentSettings) {
    super(scope, id);
    const { hashSecretArn, tokenRingArn } = settings.existing ?? {};
    const hashSecret =
      hashSecretArn === undefined
        ? this.#createHashSecret(settings)
        : Secret.fromSecretCompleteArn(this, 'ExistingHashSecret', hashSecretArn);
    const tokenRing =
      tokenRingArn === undefined
        ? this.#createTokenRing(settings)
        : Secret.fromSecretCompleteArn(this, 'ExistingTokenRing', tokenRingArn);
    this.arns = { hashSecret: hashSecret.secretArn, tokenRing: tokenRing.secretArn };
    const nameOf = (what: string, { secretName }: { secretName: string }, existing: string | undefined) =>
      (existing === undefined ? nameOfSecret(what, settings).secretName : undefined) ?? secretName;
    this.names = {
      hashSecret: nameOf(HASH_SECRET, hashSecret, hashSecretArn),
      tokenRing: nameOf(TOKEN_RING, tokenRing, tokenRingArn),
    };
  }

  #createHashSecret(settings: DeploymentSettings): Secret {
    const hashSecret = new Secret(this, 'HashSecret', {
      ...nameOfSecret(HASH_SECRET, settings),
      description:
        'Canvass: hashes respondent ids. Never rotate or replace it: every suppression would be lost.',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      ...secretProtection(this, settings),
    });
    Validations.of(hashSecret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'Respondent hashes are keys of the table: with another secret, no respondent would be recognized.',
    });
    return hashSecret;
  }

  #createTokenRing(settings: DeploymentSettings): Secret {
    const tokenRing = new Secret(this, 'TokenRing', {
      ...nameOfSecret(TOKEN_RING, settings),
      description:
        'Canvass: the keys that seal show-tokens. Rotate it with: npm run admin -- token-key rotate',
      generateSecretString: {
        secretStringTemplate: '{"keys":[]}',
        generateStringKey: 'initial',
        passwordLength: 64,
        excludePunctuation: true,
      },
      ...secretProtection(this, settings),
    });
    Validations.of(tokenRing).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'The operator CLI rotates the ring on demand: it adds a key and keeps the old ones.',
    });
    return tokenRing;
  }
}
