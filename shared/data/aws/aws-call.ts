/** A separate client for each service would lengthen a cold start by a tenth (decision 41). */

import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest } from '@smithy/core/protocols';
import { NodeHttpHandler, streamCollector } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import { currentDeadline, untilDeadline, withDeadline } from '../table/deadline.ts';
import { type Attempt, realPause, retrying } from '../table/retry.ts';
import { isUnavailable } from '../table/unavailable.ts';

interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export function functionCredentials(): AwsCredentials {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  return {
    accessKeyId: AWS_ACCESS_KEY_ID ?? '',
    secretAccessKey: AWS_SECRET_ACCESS_KEY ?? '',
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
  };
}

/** AWS Signature Version 4. */
export function createPostSigner(
  service: string,
  region = process.env.AWS_REGION ?? '',
  now: () => number = Date.now,
  credentials: () => Promise<AwsCredentials> = async () => functionCredentials(),
) {
  const signer = new SignatureV4({ service, region, sha256: Sha256, credentials });
  return async ({ url, headers, body }: Post): Promise<Readonly<Record<string, string>>> => {
    const { protocol, hostname, port, pathname, host } = new URL(url);
    const request = new HttpRequest({
      method: 'POST',
      protocol,
      hostname,
      ...(port !== '' && { port: Number(port) }),
      path: pathname,
      headers: { ...headers, host },
      body,
    });
    const signed = await signer.sign(request, { signingDate: new Date(now()) });
    const { host: _, ...sent } = signed.headers;
    return sent;
  };
}

interface JsonProtocol {
  readonly target: string;
  readonly json: '1.0' | '1.1';
}

interface FormProtocol {
  readonly form: string;
}

export type AwsProtocol = JsonProtocol | FormProtocol;

type AwsService = AwsProtocol & {
  readonly name: string;
  readonly service: string;
  readonly endpoint: string | undefined;
  readonly requestTimeoutMs: number;
  readonly identity?: AwsIdentity;
};

export interface AwsIdentity {
  readonly region: string;
  readonly credentials: () => Promise<AwsCredentials>;
}

/** Makes up to three attempts. @throws Error with the name of the AWS error */
export type AwsCall = (action: string, input: object) => Promise<unknown>;

const RETRIES = { attempts: 3, firstPauseMs: 50, pause: realPause, jitter: () => Math.random() };
const CONNECTION_TIMEOUT_MS = 500;

function chooseEndpoint({ service, endpoint }: AwsService, region: string): URL {
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return new URL('/', endpoint ?? `https://${service}.${region}.${suffix}`);
}

function failure(name: string, status: number, body: string): Error {
  const [, inJson, inXml] = /"__type"\s*:\s*"(?:[^"#]*#)?([\w.]+)"|<Code>([\w.]+)</.exec(body) ?? [];
  const type = inJson ?? inXml ?? `HTTP ${status}`;
  // The names of SQS's throttling errors (SQS, SendMessage: errors).
  const isThrottled = /Throttl(ed|ing)/.test(type);
  const fault = status >= 500 || status === 200 || isThrottled ? 'server' : 'client';
  return Object.assign(new Error(`${name} refused the request: ${type}`), { name: type, $fault: fault });
}

function encode(aws: AwsService, action: string, input: object) {
  if ('form' in aws) {
    const body = new URLSearchParams({ Action: action, Version: aws.form, ...input });
    return { body: String(body), headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  }
  const headers = {
    'content-type': `application/x-amz-json-${aws.json}`,
    'x-amz-target': `${aws.target}.${action}`,
  };
  return { body: JSON.stringify(input), headers };
}

/** During an outage, an HTML page may arrive with any status. */
function decode(aws: AwsService, action: string, reply: string): unknown {
  if (!('form' in aws)) return JSON.parse(reply);
  if (!reply.includes(`<${action}Response`)) throw new TypeError('the reply is not from the service');
  return reply;
}

export function createAwsCall(aws: AwsService): AwsCall {
  const { name, service, requestTimeoutMs, identity } = aws;
  const region = identity?.region ?? process.env.AWS_REGION ?? '';
  const url = chooseEndpoint(aws, region);
  const { protocol, hostname, port, host } = url;
  const handler = new NodeHttpHandler({
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    requestTimeout: requestTimeoutMs,
    throwOnRequestTimeout: true,
  });
  const sign = createPostSigner(service, region, Date.now, identity?.credentials);

  async function ask(action: string, input: object): Promise<unknown> {
    const { body, headers } = encode(aws, action, input);
    const request = new HttpRequest({
      method: 'POST',
      protocol,
      hostname,
      ...(port !== '' && { port: Number(port) }),
      path: '/',
      headers: { ...(await sign({ url: url.href, headers, body })), host },
      body,
    });
    const abortSignal = currentDeadline();
    const { response } = await handler.handle(request, abortSignal && { abortSignal });
    const reply = Buffer.from(await streamCollector(response.body)).toString();
    if (response.statusCode !== 200) throw failure(name, response.statusCode, reply);
    try {
      return decode(aws, action, reply);
    } catch {
      throw failure(name, response.statusCode, reply);
    }
  }

  const insist = (action: string, input: object) =>
    retrying(RETRIES, async (): Promise<Attempt<unknown>> => {
      try {
        return { result: await withDeadline(requestTimeoutMs, () => ask(action, input)) };
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        return { retry: error };
      }
    });

  return (action, input) => untilDeadline(() => insist(action, input));
}
