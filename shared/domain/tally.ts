/** What a batch of accepted responses adds to the totals (docs/contract.md §8). */

import { utcMonth } from './project.ts';

export interface CountedResponse {
  readonly projectId: string;
  readonly surveyId: string;
  /** ISO 8601 UTC. */
  readonly at: string;
}

/** So many responses more of one survey, or of one project by UTC month (`2026-11`). One increment per total. */
export type Increment =
  | { readonly projectId: string; readonly surveyId: string; readonly by: number }
  | { readonly projectId: string; readonly byMonth: Readonly<Record<string, number>> };

type Counts = Record<string, number>;

function countInto(counts: Map<string, Counts>, projectId: string, counted: string): void {
  const ofProject = counts.get(projectId) ?? {};
  ofProject[counted] = (ofProject[counted] ?? 0) + 1;
  counts.set(projectId, ofProject);
}

/** One increment per survey and per project, in an order that depends on the batch alone. */
export function tally(responses: readonly CountedResponse[]): Increment[] {
  const surveys = new Map<string, Counts>();
  const months = new Map<string, Counts>();
  for (const { projectId, surveyId, at } of responses) {
    countInto(surveys, projectId, surveyId);
    countInto(months, projectId, utcMonth(Date.parse(at)));
  }
  return [...months].flatMap(([projectId, byMonth]): Increment[] => [
    { projectId, byMonth },
    ...Object.entries(surveys.get(projectId) ?? {}).map(([surveyId, by]) => ({ projectId, surveyId, by })),
  ]);
}
