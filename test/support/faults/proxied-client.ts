import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SFNClient } from '@aws-sdk/client-sfn';
import { createStepFunctionsClient } from '../../../shared/data/aws/purge-starter.ts';
import {
  createDynamodbClient,
  type RetryStrategy,
  retryStrategy,
} from '../../../shared/data/table/client.ts';
import { NO_LIMIT, withoutSigning } from '../service/test-table.ts';
import { CALL_HEADER, type FaultProxy } from './fault-proxy.ts';

interface Request {
  readonly headers: Record<string, string>;
}

interface Client {
  readonly config: {
    readonly requestHandler: {
      // biome-ignore lint/suspicious/noExplicitAny: each client has a request and a response type of its own.
      handle(request: any, options?: any): Promise<any>;
    };
  };
}

/** The shared retry budget stays exhausted. */
export async function spendRetries(): Promise<RetryStrategy> {
  const strategy = retryStrategy(3);
  const failure = { errorType: 'TRANSIENT' as const };
  for (let round = 0; round < 5; round += 1) {
    await Promise.all(
      Array.from({ length: 50 }, async () =>
        strategy.refreshRetryTokenForRetry(await strategy.acquireInitialRetryToken(''), failure),
      ),
    );
  }
  return { ...strategy, recordSuccess: () => undefined };
}

let calls = 0;

/** Ends a hanging attempt immediately, as if its timeout had passed. */
function timeOutHangs<T extends Client>(client: T, proxy: FaultProxy): T {
  const handler = client.config.requestHandler;
  const handle = handler.handle.bind(handler);
  handler.handle = async (request: Request, options) => {
    const call = String(calls++);
    request.headers[CALL_HEADER] = call;
    const { promise: hangs, reject } = Promise.withResolvers<never>();
    proxy.onHang(call, () => reject(Object.assign(new Error('the call hangs'), { name: 'TimeoutError' })));
    return Promise.race([handle(request, options), hangs]);
  };
  return client;
}

/** Retries without pauses, which would take most of a test's time. */
const atOnce = (strategy: RetryStrategy): RetryStrategy => ({
  ...strategy,
  refreshRetryTokenForRetry: async (...retry) =>
    Object.assign(await strategy.refreshRetryTokenForRetry(...retry), { getRetryDelay: () => 0 }),
});

export function createProxiedClient(proxy: FaultProxy, retries?: RetryStrategy): DynamoDBClient {
  const client = withoutSigning(
    createDynamodbClient({ endpoint: proxy.endpoint, requestTimeoutMs: NO_LIMIT }),
  );
  const own = retryStrategy(3);
  client.config.retryStrategy = async () => atOnce(retries ?? own);
  return timeOutHangs(client, proxy);
}

export function createProxiedStepFunctions(proxy: FaultProxy, retries?: RetryStrategy): SFNClient {
  const client = createStepFunctionsClient({ endpoint: proxy.endpoint, requestTimeoutMs: NO_LIMIT });
  if (retries !== undefined) client.config.retryStrategy = async () => retries;
  return timeOutHangs(client, proxy);
}
