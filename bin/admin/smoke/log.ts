import { UnexpectedReply } from '../../../functions/probe/visitor.ts';
import { CanvassError } from '../../../sdk/server/index.ts';
import { printable } from '../terminal.ts';

/**
 * An HTTP status, or the outcome of a step without a request. `started`: it continues in AWS. `none`: there was nothing
 * to do.
 */
type StepStatus = number | 'done' | 'started' | 'none' | 'failed';

export interface SmokeStep {
  readonly step: string;
  readonly status: StepStatus;
  readonly ms: number;
  readonly problem?: string;
}

export class StepError extends UnexpectedReply {
  override readonly name = 'StepError';
}

const STEP_WIDTH = 'submit linked response'.length;

function lineOf({ step, status, ms, problem }: SmokeStep): string {
  const line = `${step.padEnd(STEP_WIDTH)}  ${`${status}`.padEnd(7)}  ${`${ms}`.padStart(6)} ms`;
  return problem === undefined ? line : `${line}  ${printable(problem)}`;
}

/** The message `fetch failed` hides its cause. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause, message } = error;
  if (!(cause instanceof Error)) return message;
  return `${message}: ${'code' in cause ? String(cause.code) : cause.message}`;
}

export type SmokeLog = ReturnType<typeof createSmokeLog>;

export function createSmokeLog(show: (line: string) => void, now: () => number) {
  const steps: SmokeStep[] = [];
  const log = {
    steps,
    status: 'failed' as StepStatus,
    /** @throws what the step throws, after logging it */
    async take<Result>(step: string, act: () => Promise<Result>, done?: StepStatus): Promise<Result> {
      const startedAt = now();
      const note = (status: StepStatus, problem?: string) => {
        const ended = { step, status, ms: now() - startedAt, ...(problem !== undefined && { problem }) };
        steps.push(ended);
        show(lineOf(ended));
      };
      log.status = 'failed';
      try {
        const result = await act();
        note(done ?? log.status);
        return result;
      } catch (thrown) {
        // The client wraps the error of its only attempt.
        const error = thrown instanceof CanvassError ? (thrown.cause ?? thrown) : thrown;
        note(error instanceof UnexpectedReply ? log.status : 'failed', explain(error));
        throw error;
      }
    },
  };
  return log;
}
