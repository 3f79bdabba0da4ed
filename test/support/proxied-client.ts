import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SFNClient } from '@aws-sdk/client-sfn';
import { createStepFunctionsClient } from '../../shared/data/aws/purge-starter.ts';
import { createDynamodbClient } from '../../shared/data/table/client.ts';
import { CALL_HEADER, type FaultProxy } from './fault-proxy.ts';
import { NO_LIMIT } from './test-table.ts';

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

let calls = 0;

/** An attempt that the proxy lets hang ends at once as it does when its time is over; the clock ends none. */
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

export function createProxiedClient(proxy: FaultProxy): DynamoDBClient {
  const { endpoint } = proxy;
  return timeOutHangs(createDynamodbClient({ endpoint, requestTimeoutMs: NO_LIMIT }), proxy);
}

export function createProxiedStepFunctions(proxy: FaultProxy): SFNClient {
  const { endpoint } = proxy;
  return timeOutHangs(createStepFunctionsClient({ endpoint, requestTimeoutMs: NO_LIMIT }), proxy);
}
