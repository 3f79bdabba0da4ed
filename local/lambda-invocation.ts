import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';

export function lambdaContext(functionName: string, timeoutMs: number): Context {
  const deadline = performance.now() + timeoutMs;
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${functionName}`,
    memoryLimitInMB: '1024',
    awsRequestId: randomUUID(),
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: 'local',
    getRemainingTimeInMillis: () => Math.max(0, Math.round(deadline - performance.now())),
    done: () => undefined,
    fail: () => undefined,
    succeed: () => undefined,
  };
}

/** AWS quota: 6 MB per synchronous request or response. */
const PAYLOAD_LIMIT_BYTES = 6 * 1024 * 1024;

type InvocationOutcome =
  | { readonly kind: 'returned'; readonly result: unknown }
  | { readonly kind: 'event_too_large' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'timed_out' };

/** Applies Lambda's quota and timeout. Never throws. Unlike on Lambda, a handler continues after its timeout. */
export async function invokeLambda<Event>(
  handler: (event: Event, context: Context) => Promise<unknown>,
  event: Event,
  { functionName, timeoutMs }: { functionName: string; timeoutMs: number },
): Promise<InvocationOutcome> {
  if (Buffer.byteLength(JSON.stringify(event)) > PAYLOAD_LIMIT_BYTES) return { kind: 'event_too_large' };
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<InvocationOutcome>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, { kind: 'timed_out' });
  });
  const finished = run(handler, event, lambdaContext(functionName, timeoutMs));
  try {
    return await Promise.race([finished, timedOut]);
  } finally {
    clearTimeout(timer);
  }
}

async function run<Event>(
  handler: (event: Event, context: Context) => Promise<unknown>,
  event: Event,
  context: Context,
): Promise<InvocationOutcome> {
  try {
    const json = JSON.stringify(await handler(event, context)) ?? 'null';
    const size = Buffer.byteLength(json);
    if (size > PAYLOAD_LIMIT_BYTES) {
      return {
        kind: 'failed',
        error: new Error(`Response payload size ${size} exceeds ${PAYLOAD_LIMIT_BYTES} bytes`),
      };
    }
    const result: unknown = JSON.parse(json);
    return { kind: 'returned', result };
  } catch (error) {
    return { kind: 'failed', error };
  }
}
