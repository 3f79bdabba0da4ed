/** The effect of each event on a draft. The hook `useDraft` runs the effects. */

import type { SurveyStatus } from '../../../shared/domain/surveys/survey.ts';
import type { WrittenSurvey } from '../../../shared/domain/surveys/written-survey.ts';
import type { ChangeWords } from './change-words.ts';
import {
  afterStoring,
  type Conflict,
  type Draft,
  type Found,
  hasChanges,
  keptAs,
  type Obstacle,
  sending,
  untouched,
} from './draft.ts';
import { changed, newSurvey, type Patch } from './edited-survey.ts';
import { type EditProblem, problemsIn, wordsFor } from './problems.ts';

export interface Wish {
  readonly status: SurveyStatus;
  /** Other edits stay in the draft. */
  readonly isOfStatus: boolean;
}

export interface Review {
  readonly draft: Draft;
  readonly target: WrittenSurvey;
  readonly isOfStatus: boolean;
  readonly changes: readonly ChangeWords[];
  readonly warnings: readonly string[];
}

interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly issues: readonly { readonly path: string; readonly message: string }[];
}

export type Outcome =
  | Obstacle
  | { readonly is: 'reviewed'; readonly review: Review }
  | { readonly is: 'stored'; readonly review: Review; readonly revision: number }
  | { readonly is: 'refused'; readonly error: Refusal }
  | { readonly is: 'broken' };

export type State =
  | { readonly is: 'typed' }
  /** There is no review until the service has answered. `problem` is the last failure. */
  | {
      readonly is: 'reviewing';
      readonly wish: Wish;
      readonly review?: Review;
      readonly problem?: string;
    }
  | { readonly is: 'conflict'; readonly wish: Wish; readonly conflict: Conflict }
  | { readonly is: 'storing'; readonly wish: Wish; readonly review: Review }
  /** Someone removed the survey. */
  | { readonly is: 'gone' };

export interface Drafting {
  /** Empty for a new survey. */
  readonly slug: string;
  readonly state: State;
  readonly draft: Draft;
  /** Grows when the whole draft is replaced, which resets the form. */
  readonly version: number;
  /** The draft without edits; undefined once the survey was removed. */
  readonly fresh: Draft | undefined;
  readonly taken: readonly string[];
  readonly touched: ReadonlySet<string>;
  readonly hasTried: boolean;
  readonly wasKept: boolean;
  readonly note: string;
  readonly failure: string | undefined;
  readonly refused: readonly EditProblem[];
}

export type DraftEvent =
  | { readonly type: 'change'; readonly patch: Patch }
  | { readonly type: 'touch'; readonly path: string }
  | { readonly type: 'wish'; readonly wish: Wish }
  | { readonly type: 'confirm' | 'close' | 'discard' }
  | { readonly type: 'decide'; readonly mine: WrittenSurvey }
  | { readonly type: 'answer'; readonly outcome: Outcome };

export type Effect =
  /** Undefined forgets it. */
  | { readonly type: 'keep'; readonly slug: string; readonly draft: Draft | undefined }
  | { readonly type: 'preview'; readonly draft: Draft; readonly wish: Wish }
  | { readonly type: 'store'; readonly review: Review }
  | { readonly type: 'show problem'; readonly path: string }
  | { readonly type: 'show note' }
  | { readonly type: 'go to overview' }
  | { readonly type: 'go to survey'; readonly slug: string; readonly note: string };

type Step = readonly [Drafting, ...Effect[]];

const resting = (fresh: Draft | undefined): State => ({ is: fresh === undefined ? 'gone' : 'typed' });

/** Undefined if there is neither such a survey nor a draft of it. */
export function openDraft(
  slug: string,
  { revision, order, surveys }: Found,
  kept: Draft | undefined,
  now: number,
): Drafting | undefined {
  const base = surveys.find((survey) => survey.slug === slug);
  const fresh =
    slug === ''
      ? { mine: newSurvey('nps', order), revision, at: now }
      : base && untouched(base, revision, now);
  const draft = kept !== undefined && hasChanges(kept) ? kept : fresh;
  if (draft === undefined) return undefined;
  return {
    ...{ slug, state: resting(fresh), draft, version: 0, fresh, taken: order },
    ...{ touched: new Set(), hasTried: false, wasKept: draft === kept, note: '' },
    ...{ failure: undefined, refused: [] },
  };
}

export const draftProblems = ({ draft, taken }: Pick<Drafting, 'draft' | 'taken'>): EditProblem[] =>
  problemsIn(draft.mine, { base: draft.base, taken: taken.filter((each) => each !== draft.sent?.slug) });

const replaced = (drafting: Drafting, draft: Draft): Drafting => ({
  ...drafting,
  draft: keptAs(draft),
  version: drafting.version + 1,
});

const rested = (drafting: Drafting): Drafting => ({ ...drafting, state: resting(drafting.fresh) });

const isResting = ({ state: { is } }: Drafting): boolean => is === 'typed' || is === 'gone';

const keep = ({ slug, draft }: Drafting): Effect => ({ type: 'keep', slug, draft });

const forget = ({ slug }: Drafting): Effect => ({ type: 'keep', slug, draft: undefined });

const review = (drafting: Drafting, wish: Wish): Step => [
  { ...drafting, state: { is: 'reviewing', wish }, failure: undefined, refused: [] },
  { type: 'preview', draft: drafting.draft, wish },
];

function onWish(drafting: Drafting, wish: Wish): Step {
  // The button stays enabled, because disabling it would lose the focus. Further clicks are ignored here.
  if (!isResting(drafting)) return [drafting];
  const next = { ...drafting, note: '' };
  const [first] = draftProblems(next);
  if (wish.isOfStatus || first === undefined) return review(next, wish);
  return [
    { ...next, hasTried: true },
    { type: 'show problem', path: first.path },
  ];
}

function onConfirm(drafting: Drafting): Step {
  const { state } = drafting;
  if (state.is !== 'reviewing' || state.review === undefined) return [drafting];
  const { review: shown } = state;
  const { isOfStatus, target } = shown;
  const next: Drafting = {
    ...drafting,
    draft: sending(drafting.draft, shown.draft, target),
    state: { is: 'storing', review: shown, wish: { isOfStatus, status: target.status } },
  };
  return [next, keep(next), { type: 'store', review: shown }];
}

function onDecide(drafting: Drafting, mine: WrittenSurvey, now: number): Step {
  const { state } = drafting;
  if (state.is !== 'conflict') return [drafting];
  const { theirs, revision, differences } = state.conflict;
  const fresh = untouched(theirs, revision, now);
  const next = replaced({ ...drafting, fresh }, { mine, base: theirs, revision, at: now });
  const isDecided = differences.some(({ field }) => field === 'status');
  const [reviewing, ...effects] = review(
    next,
    isDecided ? { status: mine.status, isOfStatus: false } : state.wish,
  );
  return [reviewing, keep(next), ...effects];
}

function onDiscard(drafting: Drafting, now: number): Step {
  // A running request would still store the draft.
  if (!isResting(drafting)) return [drafting];
  const { fresh, draft } = drafting;
  const clean: Drafting = {
    ...drafting,
    ...{ touched: new Set(), hasTried: false, wasKept: false, failure: undefined, refused: [] },
  };
  if (fresh === undefined) return [clean, forget(drafting), { type: 'go to overview' }];
  const before = draft.base === undefined ? fresh : untouched(draft.base, draft.revision, now);
  return [
    { ...replaced(clean, before), note: 'Your changes were discarded.' },
    forget(drafting),
    { type: 'show note' },
  ];
}

const DONE: Readonly<Record<SurveyStatus, string>> = {
  draft: 'The draft is saved.',
  active: 'The survey is published.',
  paused: 'The survey is paused.',
  archived: 'The survey is archived.',
};

const storedWords = ({ target, draft }: Review): string =>
  target.status !== draft.base?.status
    ? DONE[target.status]
    : target.status === 'active'
      ? 'Your changes are published.'
      : 'Your changes are saved.';

function onStored(drafting: Drafting, stored: Review, revision: number, now: number): Step {
  const { target, isOfStatus, draft } = stored;
  const { slug } = drafting;
  const note = storedWords(stored);
  const fresh = untouched(target, revision, now);
  const next: Drafting = {
    ...replaced(drafting, afterStoring(drafting.draft, { draft, target, isOfStatus, revision }, now)),
    ...{ state: resting(fresh), fresh, note, touched: new Set(), hasTried: false, wasKept: false },
  };
  if (slug === target.slug) return [next, keep(next), { type: 'show note' }];
  return [
    next,
    forget(next),
    keep({ ...next, slug: target.slug }),
    { type: 'go to survey', slug: target.slug, note },
  ];
}

/** All issues are about this survey, because the request contained no other. */
const issuesOf = ({ issues }: Refusal): EditProblem[] =>
  issues.map(({ path: place, message }) => {
    const path = place.replace(/^surveys\[0\]\.?/, '');
    return { path, words: wordsFor(path, message) };
  });

function onRefused(drafting: Drafting, error: Refusal): Step {
  const { state } = drafting;
  const refused = issuesOf(error);
  // The dialog would cover the banner for a new sign-in.
  if (state.is === 'storing' && refused.length === 0 && error.status !== 401) {
    const { wish, review: shown } = state;
    return [
      { ...drafting, refused, state: { is: 'reviewing', wish, review: shown, problem: error.message } },
    ];
  }
  const failure = refused.length > 0 ? refused.map(({ words }) => words).join(' ') : error.message;
  return [{ ...rested(drafting), refused, failure }];
}

const GONE = 'Someone removed this survey. If you publish or save your version, the survey is created again.';
const BROKEN =
  'Your survey was not saved because of an error on this page. Reload the page, and then try again.';

function onAnswer(drafting: Drafting, outcome: Outcome, now: number): Step {
  const { state } = drafting;
  if (state.is !== 'reviewing' && state.is !== 'storing') return [drafting];
  const { wish } = state;
  switch (outcome.is) {
    case 'reviewed':
      return [{ ...drafting, state: { is: 'reviewing', wish, review: outcome.review } }];
    case 'conflict':
      return [{ ...drafting, state: { is: 'conflict', wish, conflict: outcome.conflict } }];
    case 'stored':
      return onStored(drafting, outcome.review, outcome.revision, now);
    case 'taken':
      return [
        { ...rested(drafting), taken: outcome.slugs, hasTried: true },
        { type: 'show problem', path: 'slug' },
      ];
    case 'gone': {
      const draft = { ...outcome.draft, mine: drafting.draft.mine };
      const next = rested({ ...replaced(drafting, draft), fresh: undefined });
      return [{ ...next, taken: outcome.slugs, failure: GONE }, keep(next)];
    }
    case 'refused':
      return onRefused(drafting, outcome.error);
    case 'broken':
      return [{ ...rested(drafting), failure: BROKEN }];
  }
}

/** @param now milliseconds since the epoch */
export function transition(drafting: Drafting, event: DraftEvent, now: number): Step {
  const { state, draft, touched } = drafting;
  switch (event.type) {
    case 'change': {
      const mine = changed(draft.mine, event.patch);
      const next = { ...drafting, note: '', draft: { ...draft, mine, at: now } };
      return [next, keep(next)];
    }
    case 'touch':
      return [
        touched.has(event.path) ? drafting : { ...drafting, touched: new Set([...touched, event.path]) },
      ];
    case 'wish':
      return onWish(drafting, event.wish);
    case 'close':
      return [state.is === 'reviewing' || state.is === 'conflict' ? rested(drafting) : drafting];
    case 'confirm':
      return onConfirm(drafting);
    case 'decide':
      return onDecide(drafting, event.mine, now);
    case 'discard':
      return onDiscard(drafting, now);
    case 'answer':
      return onAnswer(drafting, event.outcome, now);
  }
}
