/** Purges of a survey, a project, or a person with more answers than a request can delete (docs/contract.md §11.5). */

import type { EraseMode } from './answers/erasure.ts';
import { MINUTE } from './duration.ts';

/** If this is too short for a shard, another sweep continues. */
export const SWEEP_TIME_MS = 4 * MINUTE;

export interface PurgeScope {
  readonly projectId: string;
  readonly surveyId?: string | undefined;
  readonly respondentHash?: string | undefined;
}

export function modeOfPurge({ surveyId, respondentHash }: PurgeScope): EraseMode {
  if (respondentHash !== undefined) return 'respondent';
  return surveyId === undefined ? 'account' : 'survey';
}

export function purgeScopeOf({ projectId, surveyId, respondentHash }: PurgeScope): PurgeScope {
  return {
    projectId,
    ...(surveyId !== undefined && { surveyId }),
    ...(respondentHash !== undefined && { respondentHash }),
  };
}

export interface PurgeCounts {
  readonly responses: number;
  readonly dismissals: number;
  /** Tombstones of used tokens, suppressions and settings. */
  readonly others: number;
}

export const NO_COUNTS: PurgeCounts = { responses: 0, dismissals: 0, others: 0 };

export function addCounts(a: PurgeCounts, b: PurgeCounts): PurgeCounts {
  return {
    responses: a.responses + b.responses,
    dismissals: a.dismissals + b.dismissals,
    others: a.others + b.others,
  };
}

export const PURGE_STATES = ['requested', 'running', 'done', 'failed'] as const;
export type PurgeState = (typeof PURGE_STATES)[number];

/** This record is all that remains of a purged project. */
export interface PurgeRecord extends PurgeScope {
  readonly state: PurgeState;
  /** Starts at 1. A retry is a new attempt, because the name of an execution cannot be reused for 90 days. */
  readonly attempt: number;
  /** Sweeps are repeated when the verification finds rows. */
  readonly rounds: number;
  readonly requestedAt: string;
  readonly startedAt?: string | undefined;
  readonly finishedAt?: string | undefined;
  readonly deleted: PurgeCounts;
  /** Withdrawals of delivered scores that are still in progress. */
  readonly withdrawals?: number | undefined;
}

export interface PurgeAttempt {
  readonly attempt: number;
  readonly openedAt: string;
}

/**
 * A name has at most 80 characters and cannot be reused for 90 days (Step Functions quotas). It includes the time,
 * because a restored table counts attempts from 1 again.
 */
export function executionName(
  { projectId, surveyId, respondentHash }: PurgeScope,
  { attempt, openedAt }: PurgeAttempt,
): string {
  // 64 bits are enough to identify a person in a project.
  const what = respondentHash === undefined ? surveyId : `person-${respondentHash.slice(0, 16)}`;
  return `${projectId}-${what ?? 'account'}-${attempt}-${Date.parse(openedAt).toString(36)}`;
}

export const sweepExecutionName = (now: number): string => `sweep-${now.toString(36)}`;

/** The input must not contain `projectId`, which would start an account purge. */
export const sweepInput = (now: number, projects?: readonly string[]) => ({
  sweep: { at: new Date(now).toISOString(), ...(projects !== undefined && { projects }) },
});
