import type { ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { PurgeScope } from '../../../shared/domain/purge.ts';
import { serve } from '../serve.ts';

export const STATE_MACHINE_ARN = 'arn:aws:states:us-east-1:000000000000:stateMachine:purge';

export interface StepFunctions {
  readonly endpoint: string;
  /** The input of everything that was started, by the names of the executions. */
  readonly executions: ReadonlyMap<string, PurgeScope>;
  /** Ends an execution; its name stays taken. */
  readonly close: (name: string) => void;
  readonly stop: () => Promise<void>;
}

/**
 * Step Functions over HTTP, as far as StartExecution: a name is taken by its first input, asked for again while it is
 * open it is the same execution; nothing runs.
 */
export async function startStepFunctions(): Promise<StepFunctions> {
  const executions = new Map<string, PurgeScope>();
  const closed = new Set<string>();
  const reply = (response: ServerResponse, status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
  const { url, stop } = await serve(async (request, response) => {
    const { name, input } = (await json(request)) as { readonly name: string; readonly input: string };
    if (request.headers['x-amz-target'] !== 'AWSStepFunctions.StartExecution') {
      reply(response, 400, { __type: 'UnknownOperationException' });
    } else if (closed.has(name) || (executions.has(name) && JSON.stringify(executions.get(name)) !== input)) {
      reply(response, 400, { __type: 'ExecutionAlreadyExists', message: name });
    } else {
      executions.set(name, JSON.parse(input));
      reply(response, 200, { executionArn: `${STATE_MACHINE_ARN}:${name}`, startDate: 0 });
    }
  });
  return {
    endpoint: url,
    executions,
    close: (name) => closed.add(name),
    stop,
  };
}
