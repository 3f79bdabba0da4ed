/** The sweep of expired answers of a local run: soon after its start, and once in each UTC day that it sees begin. */

import type { SweepStarter } from '../shared/data/aws/purge-starter.ts';
import { dayAt } from '../shared/domain/days.ts';
import { MINUTE } from '../shared/domain/duration.ts';

/** The start itself is left alone: the state machine's interpreter is large. */
const LOOK_MS = MINUTE;

export interface DailySweep {
  readonly machine: SweepStarter;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly onFailure: (error: unknown) => void;
}

/** @returns what ends it */
export function startDailySweep({ machine, clock, onFailure }: DailySweep): () => void {
  let swept = '';
  function look(): void {
    const today = dayAt(clock());
    if (today === swept) return;
    swept = today;
    machine.sweep(clock()).catch(onFailure);
  }
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
