/** The deployment's secrets in AWS Secrets Manager, asked for as soon as the instance starts. */

import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import type { SecretSource } from '../crypto/secret-source.ts';
import { parseTokenRing } from '../crypto/token-ring-json.ts';
import { obeyDeadline } from './deadline.ts';

interface SecretIds {
  readonly hashSecretId: string;
  readonly tokenRingId: string;
}

/** Reads a secret's text. @throws Error when it has none */
export function createSecretReader(): (id: string) => Promise<string> {
  const client = new SecretsManagerClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 500, requestTimeout: 1_500, throwOnRequestTimeout: true },
  });
  obeyDeadline(client.config.requestHandler);
  return async (id) => {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: id }));
    if (SecretString === undefined) throw new Error('a secret of the deployment has no text');
    return SecretString;
  };
}

export function createSecretsManagerSource({ hashSecretId, tokenRingId }: SecretIds): SecretSource {
  const read = createSecretReader();
  return {
    readHashSecret: async () => Buffer.from(await read(hashSecretId)),
    readTokenRing: async () => parseTokenRing(await read(tokenRingId)),
  };
}

/** Replaces a secret's text as an operator; the version before stays in Secrets Manager as AWSPREVIOUS. */
export async function writeSecret(id: string, text: string): Promise<void> {
  const client = new SecretsManagerClient({});
  await client
    .send(new PutSecretValueCommand({ SecretId: id, SecretString: text }))
    .finally(() => client.destroy());
}
