import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Secret, type SecretProps } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { SecretName } from '../../shared/contract/route.ts';
import type { DeploymentSettings } from '../settings/settings.ts';
import { encryptionKey } from './encryption-key.ts';

/** What becomes of a secret when the stack goes, and what it is encrypted under. */
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

/**
 * The hash secret and the token ring. CloudFormation generates each once, when it is created: a changed logical id or
 * a changed generation property would generate it anew, and with the hash secret every suppression would be lost.
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
    this.names = { hashSecret: hashSecret.secretName, tokenRing: tokenRing.secretName };
  }

  #createHashSecret(settings: DeploymentSettings): Secret {
    const hashSecret = new Secret(this, 'HashSecret', {
      description:
        'Canvass: hashes respondent ids. Never rotate or replace it: every suppression would be lost.',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      ...secretProtection(this, settings),
    });
    Validations.of(hashSecret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'Respondent hashes are keys of the table: under another secret no respondent would be recognised.',
    });
    return hashSecret;
  }

  #createTokenRing(settings: DeploymentSettings): Secret {
    const tokenRing = new Secret(this, 'TokenRing', {
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
      reason:
        'A ring is rotated by adding a key and keeping the old ones; the operator CLI does it, on demand.',
    });
    return tokenRing;
  }
}
