import * as z from 'zod/mini';
import type { SecretSource } from '../../crypto/secret-cache.ts';
import { parseTokenRing } from '../../crypto/token-ring.ts';
import { once } from '../../domain/memory.ts';
import { createAwsCall } from './aws-call.ts';

interface SecretIds {
  readonly hashSecretId: string;
  readonly tokenRingId: string;
}

const REQUEST_TIMEOUT_MS = 1_500;

const reply = once(() => z.object({ SecretString: z.optional(z.string()) }));

export function createSecretReader(): (id: string) => Promise<string> {
  const call = createAwsCall({
    name: 'Secrets Manager',
    service: 'secretsmanager',
    target: 'secretsmanager',
    json: '1.1',
    endpoint: process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
  });
  return async (id) => {
    const { SecretString } = z.parse(reply(), await call('GetSecretValue', { SecretId: id }));
    if (SecretString === undefined) throw new Error('a secret of the deployment has no text value');
    return SecretString;
  };
}

export function createSecretsManagerSource(
  { hashSecretId, tokenRingId }: SecretIds,
  read = createSecretReader(),
): SecretSource {
  return {
    readHashSecret: async () => Buffer.from(await read(hashSecretId)),
    readTokenRing: async () => parseTokenRing(await read(tokenRingId)),
  };
}
