/**
 * Calls of AWS services that take JSON or forms, under the function's own identity. Requests are made with the parts that the
 * DynamoDB client brings into every bundle anyway: a client of each service's own would be a tenth of a cold start
 * (decision 41).
 */

import { HttpRequest } from '@smithy/core/protocols';
import { NodeHttpHandler, streamCollector } from '@smithy/node-http-handler';
import { currentDeadline, untilDeadline, withDeadline } from '../table/deadline.ts';
import { type Attempt, realPause, retrying } from '../table/retry.ts';
import { isUnavailable } from '../table/unavailable.ts';
import { createPostSigner } from './signed-post.ts';

interface JsonProtocol {
  /** What its header `x-amz-target` begins with. */
  readonly target: string;
  /** Version of the JSON protocol. */
  readonly json: '1.0' | '1.1';
}

interface FormProtocol {
  /** Version of its API. */
  readonly form: string;
}

type AwsService = (JsonProtocol | FormProtocol) & {
  /** In words, for errors. */
  readonly name: string;
  /** Of its endpoint and signature. */
  readonly service: string;
  /** In place of the service's own in the function's region. */
  readonly endpoint: string | undefined;
  readonly requestTimeoutMs: number;
  /** In place of the function's own. */
  readonly identity?: AwsIdentity;
};

export interface AwsIdentity {
  readonly region: string;
  readonly credentials: () => Promise<{
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  }>;
}

/** Makes a call and gives its parsed reply, of a form its text; what is unavailable is tried three times. @throws Error named as AWS names it */
export type AwsCall = (action: string, input: object) => Promise<unknown>;

const RETRIES = { attempts: 3, firstPauseMs: 50, pause: realPause, jitter: () => Math.random() };
const CONNECTION_TIMEOUT_MS = 500;

function chooseEndpoint({ service, endpoint }: AwsService, region: string): URL {
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return new URL('/', endpoint ?? `https://${service}.${region}.${suffix}`);
}

/** What the service said, named as its SDK names it. */
function failure(name: string, status: number, body: string): Error {
  const [, inJson, inXml] = /"__type"\s*:\s*"(?:[^"#]*#)?([\w.]+)"|<Code>([\w.]+)</.exec(body) ?? [];
  const type = inJson ?? inXml ?? `HTTP ${status}`;
  // SQS has names of its own for it: RequestThrottled, KmsThrottled (SQS, SendMessage: errors).
  const isThrottled = /Throttl(ed|ing)/.test(type);
  const fault = status >= 500 || status === 200 || isThrottled ? 'server' : 'client';
  return Object.assign(new Error(`${name} refused: ${type}`), { name: type, $fault: fault });
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

/** @throws where it is no reply of the service: in an outage a page of HTML may come with any status */
function decode(aws: AwsService, action: string, reply: string): unknown {
  if (!('form' in aws)) return JSON.parse(reply);
  if (!reply.includes(`<${action}Response`)) throw new TypeError('no reply of the service');
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
