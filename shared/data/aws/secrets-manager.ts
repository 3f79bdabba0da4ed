/**
 * Secrets in AWS Secrets Manager, read under the function's own identity. The request is made with the parts that the
 * DynamoDB client brings into every bundle anyway: a client of the service's own would be a tenth of a cold start
 * (docs/decisions/0041-cold-start.md).
 */

import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest } from '@smithy/core/protocols';
import { NodeHttpHandler, streamCollector } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import * as z from 'zod/mini';
import type { SecretSource } from '../../crypto/secret-source.ts';
import { parseTokenRing } from '../../crypto/token-ring-json.ts';
import { currentDeadline, untilDeadline, withDeadline } from '../table/deadline.ts';
import { type Attempt, realPause, retrying } from '../table/retry.ts';
import { isUnavailable } from '../table/unavailable.ts';
import { functionCredentials } from './function-credentials.ts';

interface SecretIds {
  readonly hashSecretId: string;
  readonly tokenRingId: string;
}

const SERVICE = 'secretsmanager';
const RETRIES = { attempts: 3, firstPauseMs: 50, pause: realPause, jitter: () => Math.random() };
const CONNECTION_TIMEOUT_MS = 500;
const REQUEST_TIMEOUT_MS = 1_500;

const reply = z.object({ SecretString: z.optional(z.string()) });

function chooseEndpoint(region: string): URL {
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
  const { protocol, hostname, port, pathname, host } = chooseEndpoint(region);
  const handler = new NodeHttpHandler({
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    throwOnRequestTimeout: true,
  });
  const signer = new SignatureV4({
    service: SERVICE,
    region,
    sha256: Sha256,
    credentials: async () => functionCredentials(),
  });

  async function ask(id: string): Promise<string> {
    const request = new HttpRequest({
      method: 'POST',
      protocol,
      hostname,
      ...(port !== '' && { port: Number(port) }),
      path: pathname,
      headers: {
        host,
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `${SERVICE}.GetSecretValue`,
      },
      body: JSON.stringify({ SecretId: id }),
    });
    const signed = await signer.sign(request);
    const abortSignal = currentDeadline();
    const { response } = await handler.handle(new HttpRequest(signed), abortSignal && { abortSignal });
    const body = Buffer.from(await streamCollector(response.body)).toString();
    if (response.statusCode !== 200) throw failure(response.statusCode, body);
    const { SecretString } = z.parse(reply, JSON.parse(body));
    if (SecretString === undefined) throw new Error('a secret of the deployment has no text');
    return SecretString;
  }

  const insist = (id: string) =>
    retrying(RETRIES, async (): Promise<Attempt<string>> => {
      try {
        return { result: await withDeadline(REQUEST_TIMEOUT_MS, () => ask(id)) };
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        return { retry: error };
      }
    });

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
