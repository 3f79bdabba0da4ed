/**
 * Purges: a survey or a whole project, deleted to the last row (docs/contract.md §11.5); or the answers of a person who
 * has more of them than one request can delete.
 */

import type { EraseMode } from './answers/erasure.ts';
import { MINUTE } from './duration.ts';

/** One sweep of a shard works so long and then says that there is more. */
export const SWEEP_TIME_MS = 4 * MINUTE;

/** A project; or one survey of it, or one respondent, by keyed hash. */
export interface PurgeScope {
  readonly projectId: string;
  readonly surveyId?: string | undefined;
  readonly respondentHash?: string | undefined;
}

/** What a purge takes away. */
export function modeOfPurge({ surveyId, respondentHash }: PurgeScope): EraseMode {
  if (respondentHash !== undefined) return 'respondent';
  return surveyId === undefined ? 'account' : 'survey';
}

/** The scope of something that carries one. */
export function purgeScopeOf({ projectId, surveyId, respondentHash }: PurgeScope): PurgeScope {
  return {
    projectId,
    ...(surveyId !== undefined && { surveyId }),
    ...(respondentHash !== undefined && { respondentHash }),
  };
}

/** Rows deleted, by what they were. */
export interface PurgeCounts {
  readonly responses: number;
  readonly dismissals: number;
  /** Tombstones of used tokens, retained suppression, settings. */
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

/** How far a purge is; once done, all that is left of a purged project. */
export interface PurgeRecord extends PurgeScope {
  readonly state: PurgeState;
  /** Counts from 1; a retry is a new attempt, since the name of an execution stays taken for 90 days. */
  readonly attempt: number;
  /** How often what was found by the verification was swept again, in this attempt. */
  readonly rounds: number;
  readonly requestedAt: string;
  readonly startedAt?: string | undefined;
  readonly finishedAt?: string | undefined;
  readonly deleted: PurgeCounts;
  /** Scores that are being withdrawn from where the score adapter delivered them; absent where there are none. */
  readonly withdrawals?: number | undefined;
}

/** One attempt at a purge. */
export interface PurgeAttempt {
  /** Counts from 1. */
  readonly attempt: number;
  /** ISO 8601 UTC. */
  readonly openedAt: string;
}

/**
 * The name of a purge's execution: at most 80 characters, and taken for 90 days (Step Functions quotas). A table that
 * was restored counts attempts anew, so the name has the time too.
 */
export function executionName(
  { projectId, surveyId, respondentHash }: PurgeScope,
  { attempt, openedAt }: PurgeAttempt,
): string {
  // Of a hash, 64 bits tell one person of a project from another.
  const what = respondentHash === undefined ? surveyId : `person-${respondentHash.slice(0, 16)}`;
  return `${projectId}-${what ?? 'account'}-${attempt}-${Date.parse(openedAt).toString(36)}`;
}

/** The name of a sweep of expired answers, as above. */
export const sweepExecutionName = (now: number): string => `sweep-${now.toString(36)}`;

/**
 * The input of the state machine for a sweep of expired answers; the schedule names no projects. It never has a
 * `projectId`, which would make it the purge of an account.
 */
export const sweepInput = (now: number, projects?: readonly string[]) => ({
  sweep: { at: new Date(now).toISOString(), ...(projects !== undefined && { projects }) },
});
