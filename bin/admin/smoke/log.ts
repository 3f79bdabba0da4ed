/** The steps of a smoke test: each is shown as it ends, and kept for the report. */

import { UnexpectedReply } from '../../../functions/probe/visitor.ts';
import { CanvassError } from '../../../sdk/server/index.ts';
import { printable } from '../terminal.ts';

/**
 * A status of HTTP, or how a step ended that is no request. `started`: it goes on without the command; `none`: there was
 * nothing to do.
 */
type StepStatus = number | 'done' | 'started' | 'none' | 'failed';

export interface SmokeStep {
  readonly step: string;
  readonly status: StepStatus;
  readonly ms: number;
  /** Why it is not what was expected. */
  readonly problem?: string;
}

/** A step that did not go as expected. */
export class StepError extends UnexpectedReply {
  override readonly name = 'StepError';
}

const STEP_WIDTH = 'submit linked response'.length;

function lineOf({ step, status, ms, problem }: SmokeStep): string {
  const line = `${step.padEnd(STEP_WIDTH)}  ${`${status}`.padEnd(7)}  ${`${ms}`.padStart(6)} ms`;
  return problem === undefined ? line : `${line}  ${printable(problem)}`;
}

/** `fetch failed` alone says nothing; its cause does. */
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
    /** Of the step under way, as far as it is known. */
    status: 'failed' as StepStatus,
    /** Takes a step. @throws what it throws, once it is noted */
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
        // The client wraps what went wrong with its one attempt.
        const error = thrown instanceof CanvassError ? (thrown.cause ?? thrown) : thrown;
        note(error instanceof UnexpectedReply ? log.status : 'failed', explain(error));
        throw error;
      }
    },
  };
  return log;
}
