/**
 * Secrets in AWS Secrets Manager, read under the function's own identity. Signed by hand: the service's SDK client would
 * be a tenth of a cold start (docs/decisions/0041-cold-start.md).
 */

import { setTimeout as pause } from 'node:timers/promises';
import type { SecretSource } from '../../crypto/secret-source.ts';
import { signRequest } from '../../crypto/sign-request.ts';
import { parseTokenRing } from '../../crypto/token-ring-json.ts';
import { untilDeadline } from '../table/deadline.ts';
import { isUnavailable } from '../table/unavailable.ts';
import { functionCredentials } from './function-credentials.ts';
import { postJson } from './post-json.ts';

interface SecretIds {
  readonly hashSecretId: string;
  readonly tokenRingId: string;
}

const SERVICE = 'secretsmanager';
const MOST_ATTEMPTS = 3;
const TIMEOUT_MS = 1_500;
const FIRST_PAUSE_MS = 50;

function endpointOf(region: string): URL {
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return new URL(process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER ?? `https://${SERVICE}.${region}.${suffix}/`);
}

/** What Secrets Manager said, named as its SDK names it. */
function failure(status: number, body: string): Error {
  const type = /"__type"\s*:\s*"(?:[^"#]*#)?(\w+)"/.exec(body)?.[1] ?? `HTTP ${status}`;
  const fault = status >= 500 ? 'server' : 'client';
  return Object.assign(new Error(`Secrets Manager refused: ${type}`), { name: type, $fault: fault });
}

/** Reads a secret's text. @throws Error when it has none */
export function createSecretReader(): (id: string) => Promise<string> {
  const region = process.env.AWS_REGION ?? '';
  const url = endpointOf(region);

  async function ask(id: string): Promise<string> {
    const body = JSON.stringify({ SecretId: id });
    const headers = {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `${SERVICE}.GetSecretValue`,
    };
    const request = { host: url.host, region, service: SERVICE, headers, body };
    const signed = signRequest(request, functionCredentials(), Date.now());
    const reply = await postJson(url, signed, body, TIMEOUT_MS);
    if (reply.status !== 200) throw failure(reply.status, reply.body);
    const { SecretString } = JSON.parse(reply.body);
    if (typeof SecretString !== 'string') throw new Error('a secret of the deployment has no text');
    return SecretString;
  }

  async function insist(id: string): Promise<string> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await ask(id);
      } catch (error) {
        if (attempt === MOST_ATTEMPTS || !isUnavailable(error)) throw error;
        await pause(Math.random() * FIRST_PAUSE_MS * 2 ** attempt);
      }
    }
  }

  return (id) => untilDeadline(() => insist(id));
}

/** @param read reads a secret's text; by default as a function does */
export function createSecretsManagerSource(
  { hashSecretId, tokenRingId }: SecretIds,
  read = createSecretReader(),
): SecretSource {
  return {
    readHashSecret: async () => Buffer.from(await read(hashSecretId)),
    readTokenRing: async () => parseTokenRing(await read(tokenRingId)),
  };
}
