/** From a click on Publish to what is stored: the dialogs in between, and what went wrong. */

import { useState } from 'preact/hooks';
import type { WrittenSurvey } from '../../../../shared/domain/surveys/written-survey.ts';
import type { KeptDraft } from '../../../surveys/kept-draft.ts';
import type { EditProblem } from '../../../surveys/problems.ts';
import type { Refused } from '../session/ask.ts';
import { useSession } from '../session/session.tsx';
import { type Conflict, type Outcome, preview, type Review, store, type Wish } from './publish.ts';

type Showing =
  | { readonly is: 'nothing' }
  | { readonly is: 'asking'; readonly wish: Wish }
  | { readonly is: 'review' | 'storing'; readonly review: Review; readonly problem?: string }
  | { readonly is: 'conflict'; readonly conflict: Conflict; readonly wish: Wish };

interface Told {
  /** Somebody else has what the new survey is called. */
  readonly onTaken: (slugs: readonly string[]) => void;
  readonly onStored: (review: Review, revision: number) => void;
  /** The draft is another one than before: based on what is there now. */
  readonly onMerged: (draft: KeptDraft) => void;
  /** The survey was removed: the draft is one of a new survey, whose name is free. */
  readonly onGone: (draft: KeptDraft, slugs: readonly string[]) => void;
  /** A survey is about to be sent to be stored. */
  readonly onSending: (review: Review) => void;
}

const GONE = 'Somebody removed this survey meanwhile. If you publish or save it now, it is made anew.';
const BROKEN = 'Something went wrong in this page. Try again.';

/** What the service found at places of the survey: it was sent alone. */
const issuesOf = ({ issues }: Refused): EditProblem[] =>
  issues.map(({ path, message }) => ({
    path: path.replace(/^surveys\[0\]\.?/, ''),
    words: message.charAt(0).toUpperCase() + message.slice(1),
  }));

export function usePublishing({ onTaken, onStored, onMerged, onGone, onSending }: Told) {
  const { ask } = useSession();
  const [showing, show] = useState<Showing>({ is: 'nothing' });
  const [problem, setProblem] = useState<string>();
  const [refused, setRefused] = useState<readonly EditProblem[]>([]);

  const refuse = (error: Refused, review: Review | undefined): void => {
    const issues = issuesOf(error);
    setRefused(issues);
    // A sign-in that has ended is mended in the page, which the dialog would cover.
    if (review !== undefined && issues.length === 0 && error.status !== 401)
      show({ is: 'review', review, problem: error.message });
    else {
      show({ is: 'nothing' });
      setProblem(issues.length > 0 ? issues.map(({ words }) => words).join(' ') : error.message);
    }
  };

  const settle = (outcome: Outcome, wish: Wish, review?: Review): void => {
    if (outcome.is === 'review') show(outcome);
    else if (outcome.is === 'conflict') show({ is: 'conflict', conflict: outcome.conflict, wish });
    else if (outcome.is === 'refused') refuse(outcome.error, review);
    else {
      show({ is: 'nothing' });
      if (outcome.is === 'stored') onStored(outcome.review, outcome.revision);
      else if (outcome.is === 'gone') {
        onGone(outcome.draft, outcome.definitions.order);
        setProblem(GONE);
      } else onTaken(outcome.definitions.order);
    }
  };

  /** Whatever is thrown, the form can be used again. */
  const settled = async (asked: Promise<Outcome>, wish: Wish, review?: Review): Promise<void> => {
    try {
      settle(await asked, wish, review);
    } catch (error) {
      show({ is: 'nothing' });
      setProblem(BROKEN);
      throw error;
    }
  };
  /** What went wrong before. */
  const forget = (): void => {
    setProblem(undefined);
    setRefused([]);
  };
  const begin = async (draft: KeptDraft, wish: Wish): Promise<void> => {
    forget();
    show({ is: 'asking', wish });
    await settled(preview(ask, draft, wish), wish);
  };
  const confirm = async (review: Review): Promise<void> => {
    show({ is: 'storing', review });
    onSending(review);
    const { isOfStatus, target } = review;
    await settled(store(ask, review), { isOfStatus, status: target.status }, review);
  };
  const decide = (conflict: Conflict, wish: Wish, mine: WrittenSurvey): void => {
    const { theirs, revision, differences } = conflict;
    const draft = { mine, base: theirs, revision, at: Date.now() };
    onMerged(draft);
    // Where the status itself was decided, that holds.
    const isDecided = differences.some(({ field }) => field === 'status');
    void begin(draft, isDecided ? { status: mine.status, isOfStatus: false } : wish);
  };
  const close = (): void => show({ is: 'nothing' });
  return { showing, problem, refused, begin, forget, confirm, decide, close };
}
