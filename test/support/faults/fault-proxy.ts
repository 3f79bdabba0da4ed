import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { serve } from '../serve.ts';

export const CALL_HEADER = 'x-test-call';

/**
 * - `reset` disconnects before the call is executed, `drop-reply` after it.
 * - `html` returns an HTML page before the call is executed, `html-reply` after it.
 * - `conflict` reports that a transaction holds the item, for writes of a single item.
 * - `hang` neither forwards nor answers.
 * - `partial-batch` executes half of a batch.
 */
export const FAULTS = [
  'throttle',
  'server-error',
  'html',
  'html-reply',
  'conflict',
  'hang',
  'reset',
  'drop-reply',
  'partial-batch',
] as const;
export type Fault = (typeof FAULTS)[number];

export interface FaultRule {
  /** An operation such as `Query`. By default, every operation. */
  readonly operation?: string;
  readonly fault: Fault;
  /** How many matching calls pass first. 0 by default. */
  readonly after?: number;
  /** How many calls then fail. Unlimited by default. */
  readonly times?: number;
  /** Text that the call's JSON body must contain. */
  readonly containing?: string;
}

export interface ProxiedCall {
  readonly operation: string;
  readonly body: string;
  readonly fault?: Fault;
}

export interface FaultProxy {
  readonly endpoint: string;
  readonly calls: readonly ProxiedCall[];
  /** The first rule that matches a call applies. */
  readonly inject: (rule: FaultRule) => void;
  readonly onHang: (call: string, action: () => void) => void;
  /** Removes the rules and the recorded calls. Hanging calls still hang. */
  readonly heal: () => void;
  readonly stop: () => Promise<void>;
}

const REFUSALS = {
  throttle: [400, 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException'],
  conflict: [400, 'com.amazonaws.dynamodb.v20120810#TransactionConflictException'],
  'server-error': [500, 'com.amazonaws.dynamodb.v20120810#InternalServerError'],
} as const;

const HTML = '<html><head><title>503 Service Unavailable</title></head><body>…</body></html>';

const sendPage = (response: ServerResponse): void =>
  void response.writeHead(503, { 'content-type': 'text/html' }).end(HTML);

function refuse(response: ServerResponse, fault: keyof typeof REFUSALS): void {
  const [status, type] = REFUSALS[fault];
  const body = JSON.stringify({ __type: type, message: `injected: ${fault}` });
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
}

export const ITEM_WRITES: ReadonlySet<string> = new Set(['PutItem', 'UpdateItem', 'DeleteItem']);

interface Armed {
  readonly rule: FaultRule;
  seen: number;
}

function strike(armed: Armed, operation: string, body: string): boolean {
  const { rule } = armed;
  if (rule.operation !== undefined && rule.operation !== operation) return false;
  if (rule.fault === 'conflict' && !ITEM_WRITES.has(operation)) return false;
  if (rule.containing !== undefined && !body.includes(rule.containing)) return false;
  const index = armed.seen++ - (rule.after ?? 0);
  return index >= 0 && index < (rule.times ?? Number.POSITIVE_INFINITY);
}

function forward(
  target: string,
  request: IncomingMessage,
  body: string,
): Promise<{ reply: IncomingMessage; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ reply: IncomingMessage; text: string }>();
  const outgoing = httpRequest(
    target,
    {
      method: request.method,
      headers: { ...request.headers, 'content-length': String(Buffer.byteLength(body)) },
    },
    async (reply) => {
      text(reply).then((answer) => resolve({ reply, text: answer }), reject);
    },
  );
  outgoing.on('error', reject).end(body);
  return promise;
}

async function answerPartly(
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
  { operation, body }: { readonly operation: string; readonly body: string },
): Promise<void> {
  const isRead = operation === 'BatchGetItem';
  const input = JSON.parse(body);
  const [[table, whole]] = Object.entries<{ Keys: object[] } & object[]>(input.RequestItems) as [
    [string, { Keys: object[] } & object[]],
  ];
  const requests: object[] = isRead ? whole.Keys : whole;
  const half = Math.floor(requests.length / 2);
  const part = (items: object[]) => ({ [table]: isRead ? { ...whole, Keys: items } : items });
  const left = { [isRead ? 'UnprocessedKeys' : 'UnprocessedItems']: part(requests.slice(half)) };
  const done = part(requests.slice(0, half));
  const empty = isRead ? { Responses: {} } : {};
  const send = (answer: object) =>
    void response
      .writeHead(200, { 'content-type': 'application/x-amz-json-1.0' })
      .end(JSON.stringify({ ...answer, ...left }));
  if (half === 0) return send(empty);
  const { text: answer } = await forward(target, request, JSON.stringify({ ...input, RequestItems: done }));
  send(JSON.parse(answer));
}

export async function startFaultProxy(dynamodb: string, stepFunctions?: string): Promise<FaultProxy> {
  const calls: ProxiedCall[] = [];
  const hangActions = new Map<string, () => void>();
  let rules: Armed[] = [];

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = String(request.headers['x-amz-target']);
    const operation = name.split('.').at(-1) ?? '';
    const target = (name.startsWith('AWSStepFunctions.') ? stepFunctions : undefined) ?? dynamodb;
    const body = await text(request);
    const fault = rules.find((armed) => strike(armed, operation, body))?.rule.fault;
    calls.push({ operation, body, ...(fault !== undefined && { fault }) });
    if (fault === 'hang') return hangActions.get(String(request.headers[CALL_HEADER]))?.();
    if (fault === 'reset') return void response.destroy();
    if (fault === 'html') return sendPage(response);
    if (fault === 'throttle' || fault === 'server-error' || fault === 'conflict')
      return refuse(response, fault);
    if (fault === 'partial-batch' && operation.startsWith('Batch')) {
      return answerPartly(target, request, response, { operation, body });
    }
    const { reply, text: answer } = await forward(target, request, body);
    if (fault === 'drop-reply') return void response.destroy();
    if (fault === 'html-reply') return sendPage(response);
    response.writeHead(reply.statusCode ?? 502, reply.headers).end(answer);
  }

  const { url, stop } = await serve((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  return {
    endpoint: url,
    calls,
    inject: (rule) => void rules.push({ rule, seen: 0 }),
    onHang: (call, action) => void hangActions.set(call, action),
    heal() {
      rules = [];
      hangActions.clear();
      calls.length = 0;
    },
    stop,
  };
}
