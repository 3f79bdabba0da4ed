/** Publishing: shown before it is done, done once, and never over what somebody else has changed unseen. */

import type { PutDefinitionsReply } from '../../../../shared/contract/definition-schemas.ts';
import type { SurveyStatus } from '../../../../shared/domain/surveys/survey.ts';
import type { WrittenSurvey } from '../../../../shared/domain/surveys/written-survey.ts';
import { type ChangeWords, changeWords, newSurveyWords } from '../../../surveys/change-words.ts';
import { changed } from '../../../surveys/edited-survey.ts';
import { isOwn, type KeptDraft } from '../../../surveys/kept-draft.ts';
import { changedByOthers, type Difference } from '../../../surveys/two-people.ts';
import { warningsOf } from '../../../surveys/warnings.ts';
import { Refused } from '../session/ask.ts';
import type { Session } from '../session/session.tsx';
import { type Definitions, readDefinitions } from './definitions.ts';

/** What would be stored, and what that would do. */
export interface Review {
  readonly draft: KeptDraft;
  readonly target: WrittenSurvey;
  /** Whether it is of the status alone: what is typed beside that stays a draft. */
  readonly isOfStatus: boolean;
  readonly changes: readonly ChangeWords[];
  readonly warnings: readonly string[];
}

/** Somebody else was first. */
export interface Conflict {
  readonly draft: KeptDraft;
  readonly theirs: WrittenSurvey;
  readonly differences: readonly Difference[];
  readonly revision: number;
  /** Null where nobody was noted. */
  readonly changedBy: string | null;
}

export type Outcome =
  | { readonly is: 'review'; readonly review: Review }
  | { readonly is: 'conflict'; readonly conflict: Conflict }
  | { readonly is: 'stored'; readonly review: Review; readonly revision: number }
  /** Another survey has the name of a new one. */
  | { readonly is: 'taken'; readonly definitions: Definitions }
  /** Somebody removed the survey: the draft is one of a new survey. */
  | { readonly is: 'gone'; readonly draft: KeptDraft; readonly definitions: Definitions }
  | { readonly is: 'refused'; readonly error: Refused };

const PATH = '/v1/surveys/definitions';
/** How often others may change other surveys in between. */
const MOST_TRIES = 4;

const put = (ask: Session['ask'], draft: KeptDraft, target: WrittenSurvey, dryRun: boolean) =>
  ask<PutDefinitionsReply>(PATH, {
    method: 'PUT',
    body: { revision: draft.revision, surveys: [target], dryRun },
  });

/** What is there now, where the project is at another revision than the draft. */
async function meet(
  ask: Session['ask'],
  draft: KeptDraft,
): Promise<KeptDraft | Extract<Outcome, { is: 'conflict' | 'taken' | 'gone' }>> {
  const definitions = await readDefinitions(ask);
  const { revision, surveys, lastChanges } = definitions;
  const theirs = surveys.find(({ slug }) => slug === draft.mine.slug);
  const { mine, at, sent } = draft;
  if (theirs === undefined) {
    if (draft.base !== undefined) return { is: 'gone', draft: { mine, revision, at }, definitions };
    return { ...draft, revision };
  }
  // What was sent before, and nobody answered for, is one's own.
  const base = isOwn(draft, theirs)
    ? theirs
    : (draft.base ?? (sent?.slug === theirs.slug ? sent : undefined));
  if (base === undefined) return { is: 'taken', definitions };
  const differences = changedByOthers({ base, theirs, mine });
  if (differences.length === 0) return { mine, base: theirs, revision, at };
  const changedBy = lastChanges[theirs.slug]?.changedBy ?? null;
  return {
    is: 'conflict',
    conflict: { draft: { ...draft, base }, theirs, differences, revision, changedBy },
  };
}

/** @param targetOf the survey that is to be stored, of the draft as it is when the service is asked */
async function attempt(
  ask: Session['ask'],
  first: KeptDraft,
  targetOf: (draft: KeptDraft) => WrittenSurvey,
  finish: (draft: KeptDraft, target: WrittenSurvey) => Promise<Outcome>,
): Promise<Outcome> {
  let draft = first;
  for (let tries = 1; ; tries++) {
    try {
      return await finish(draft, targetOf(draft));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.code !== 'surveys_changed' || tries === MOST_TRIES) return { is: 'refused', error };
    }
    try {
      const met = await meet(ask, draft);
      if ('is' in met) return met;
      draft = met;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { is: 'refused', error };
    }
  }
}

/** What somebody wants to be done with a draft. */
export interface Wish {
  readonly status: SurveyStatus;
  readonly isOfStatus: boolean;
}

/** Asks what it would do; nothing is stored. */
export const preview = (
  ask: Session['ask'],
  draft: KeptDraft,
  { status, isOfStatus }: Wish,
): Promise<Outcome> =>
  attempt(
    ask,
    draft,
    ({ mine, base = mine }) => changed(isOfStatus ? base : mine, { status }),
    async (current, target) => {
      const { changes } = await put(ask, current, target, true);
      const [own] = changes;
      const review = {
        draft: current,
        target,
        isOfStatus,
        changes: own?.action === 'updated' ? changeWords(own.fields) : own ? newSurveyWords(target) : [],
        warnings: warningsOf(current.base, target, Date.now()),
      };
      return { is: 'review', review };
    },
  );

/**
 * Stores what was shown: of a status alone, upon what somebody else has stored by then. A reply that is lost is asked for
 * again: what already is so is not changed twice.
 */
export const store = (ask: Session['ask'], review: Review): Promise<Outcome> =>
  attempt(
    ask,
    { ...review.draft, sent: review.target },
    ({ base }) =>
      review.isOfStatus && base !== undefined
        ? changed(base, { status: review.target.status })
        : review.target,
    async (current, target) => {
      const { revision } = await put(ask, current, target, false);
      return { is: 'stored', review: { ...review, target }, revision };
    },
  );
