import { ArnFormat, Aws, Fn, RemovalPolicy, SecretValue, Stack, Validations } from 'aws-cdk-lib';
import { Secret, type SecretProps } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { SecretName } from '../../shared/contract/route.ts';
import { type DeploymentSettings, metricsNamespace } from '../settings/settings.ts';
import { encryptionKey } from './encryption-key.ts';

interface OwnSecretProps extends SecretProps {
  readonly what: string;
  readonly whyNotRotated: string;
}

/** Has the stage's key and removal policy. */
export class OwnSecret extends Secret {
  /** The CDK cannot read a name with references from the ARN. */
  readonly plainName: string;

  constructor(
    scope: Construct,
    id: string,
    settings: DeploymentSettings,
    { what, whyNotRotated: reason, ...props }: OwnSecretProps,
  ) {
    // A retained secret keeps its name. The name does not end in a hyphen and six characters (Secrets Manager,
    // CreateSecret: Name).
    const name = `${Aws.STACK_NAME}/${metricsNamespace(settings)}/${what}-${partOfStackId()}`;
    const key = encryptionKey(scope, settings.kmsKeyArn);
    super(scope, id, {
      removalPolicy: settings.removalPolicy === 'retain' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      ...(key !== undefined && { encryptionKey: key }),
      ...(settings.secretNames === 'stack' && { secretName: name }),
      ...props,
    });
    this.plainName = settings.secretNames === 'stack' ? name : this.secretName;
    Validations.of(this).acknowledge({ id: 'AwsSolutions-SMG4', reason });
  }
}

/** Differs between stacks of the same name, which leave what they retain. */
export const partOfStackId = (): string =>
  Fn.select(0, Fn.split('-', Fn.select(2, Fn.split('/', Aws.STACK_ID))));

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

/**
 * A changed logical id or generation property would generate the secrets again. A new hash secret would lose every
 * suppression.
 */
export class ServiceSecrets extends Construct {
  readonly arns: Readonly<Record<SecretName, string>>;
  readonly names: Readonly<Record<SecretName, string>>;

  constructor(scope: Construct, id: string, settings: DeploymentSettings) {
    super(scope, id);
    const secret = (part: string, existing: string | undefined, props: OwnSecretProps) => {
      if (existing === undefined) return new OwnSecret(this, part, settings, props);
      const { secretArn, secretName } = Secret.fromSecretCompleteArn(this, `Existing${part}`, existing);
      return { secretArn, plainName: secretName };
    };
    const hashSecret = secret('HashSecret', settings.existing?.hashSecretArn, {
      what: 'hash-secret',
      description:
        'Canvass: hashes respondent ids. Never rotate or replace it: every suppression would be lost.',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      whyNotRotated:
        'Respondent hashes are keys of the table: with another secret, no respondent would be recognized.',
    });
    const tokenRing = secret('TokenRing', settings.existing?.tokenRingArn, {
      what: 'token-ring',
      description:
        'Canvass: the keys that seal show-tokens. Rotate it with: npm run admin -- token-key rotate',
      generateSecretString: {
        secretStringTemplate: '{"keys":[]}',
        generateStringKey: 'initial',
        passwordLength: 64,
        excludePunctuation: true,
      },
      whyNotRotated: 'The operator CLI rotates the ring on demand: it adds a key and keeps the old ones.',
    });
    this.arns = { hashSecret: hashSecret.secretArn, tokenRing: tokenRing.secretArn };
    this.names = { hashSecret: hashSecret.plainName, tokenRing: tokenRing.plainName };
  }
}
