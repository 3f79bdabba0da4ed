/** The steps of a smoke test: each is shown as it ends, and kept for the report. */

import { printable } from '../terminal.ts';

const SMOKE_STEPS = [
  'create project',
  'bootstrap',
  'submit response',
  'submit it again',
  'bootstrap another',
  'submit dismissal',
  'mint token',
  'submit linked response',
  'list pending scores',
  'ack score',
  'export person',
  'erase person',
  'export erased person',
  'purge project',
] as const;

type StepName = (typeof SMOKE_STEPS)[number];

/**
 * A status of HTTP, or how a step ended that is no request. `started`: it goes on without the command; `none`: there was
 * nothing to do.
 */
type StepStatus = number | 'done' | 'started' | 'none' | 'failed';

export interface SmokeStep {
  readonly step: StepName;
  readonly status: StepStatus;
  readonly ms: number;
  /** Why it is not what was expected. */
  readonly problem?: string;
}

/** A step that did not go as expected. */
export class StepError extends Error {
  override readonly name = 'StepError';
  readonly status: StepStatus;

  constructor(problem: string, status: StepStatus = 'failed') {
    super(problem);
    this.status = status;
  }
}

interface StepEnd<Result> {
  readonly status: StepStatus;
  readonly result: Result;
}

export interface SmokeLog {
  readonly steps: readonly SmokeStep[];
  /** Takes a step. @throws what it throws, once it is noted */
  take<Result>(step: StepName, act: () => Promise<StepEnd<Result>>): Promise<Result>;
}

const STEP_WIDTH = Math.max(...SMOKE_STEPS.map((step) => step.length));
const STATUS_WIDTH = 'started'.length;
const TIME_WIDTH = 6;

function lineOf({ step, status, ms, problem }: SmokeStep): string {
  const cells = [
    step.padEnd(STEP_WIDTH),
    String(status).padEnd(STATUS_WIDTH),
    `${String(ms).padStart(TIME_WIDTH)} ms`,
  ];
  return [...cells, ...(problem === undefined ? [] : [printable(problem)])].join('  ');
}

/** `fetch failed` alone says nothing; its cause does. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause, message } = error;
  if (!(cause instanceof Error)) return message;
  return `${message}: ${'code' in cause ? String(cause.code) : cause.message}`;
}

interface SmokeLogParts {
  readonly show: (line: string) => void;
  readonly now: () => number;
}

export function createSmokeLog({ show, now }: SmokeLogParts): SmokeLog {
  const steps: SmokeStep[] = [];
  return {
    steps,
    async take(step, act) {
      const startedAt = now();
      const note = (status: StepStatus, more: Pick<SmokeStep, 'problem'> = {}) => {
        const ended = { step, status, ms: now() - startedAt, ...more };
        steps.push(ended);
        show(lineOf(ended));
      };
      try {
        const { status, result } = await act();
        note(status);
        return result;
      } catch (error) {
        note(error instanceof StepError ? error.status : 'failed', { problem: explain(error) });
        throw error;
      }
    },
  };
}
