/** Results of the questions after the rating (docs/contract.md §17.2). */

import type { Reached } from './contribution.ts';

export interface QuestionDay {
  readonly day: string;
  /** By the place of the question: its state, the place of a choice, or a number of its scale. */
  readonly counts: readonly {
    readonly question: number;
    readonly of: Reached | number;
    readonly count: number;
  }[];
}
