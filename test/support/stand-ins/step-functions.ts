import type { ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { PurgeScope } from '../../../shared/domain/purge.ts';
import { serve } from '../serve.ts';

export const STATE_MACHINE_ARN = 'arn:aws:states:us-east-1:000000000000:stateMachine:purge';

export interface StepFunctions {
  readonly endpoint: string;
  /** Inputs by execution name. */
  readonly executions: ReadonlyMap<string, PurgeScope>;
  /** Ends the execution. Its name stays taken. */
  readonly close: (name: string) => void;
  readonly stop: () => Promise<void>;
}

/** A name stays bound to its first input. Executions do not run anything. */
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
