import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { changeWords, newSurveyWords } from '../../rules/change-words.ts';
import { afterReading, type Draft, draftText, hasChanges, isDraft, rebase } from '../../rules/draft.ts';
import {
  type DraftEvent,
  type Drafting,
  draftProblems,
  type Effect,
  type Outcome,
  openDraft,
  type Review,
  transition,
  type Wish,
} from '../../rules/draft-machine.ts';
import { changed } from '../../rules/edited-survey.ts';
import { warningsOf } from '../../rules/warnings.ts';
import {
  type Ask,
  type Definitions,
  messageOf,
  putDefinitions,
  Refused,
  readDefinitions,
} from '../session/ask.ts';
import { useOver, useSession } from '../session/session.tsx';
import { draftName, keep, recallAs } from '../session/tab.ts';
import { go } from '../shell/route.ts';

/** @param slug empty for a new survey */
export const recallDraft = (slug: string): Draft | undefined => recallAs(draftName(slug), isDraft);

export const keepDraft = (slug: string, draft: Draft | undefined): void =>
  keep(draftName(slug), draft !== undefined && hasChanges(draft) ? draftText(draft) : null);

let left = { slug: '', note: '' };

/** @param slug of the survey whose editor shows it; empty for a new one */
export function leaveNote(slug: string, note: string): void {
  left = { slug, note };
}

function takeNote(slug: string): string {
  const { note } = left.slug === slug ? left : { note: '' };
  leaveNote('', '');
  return note;
}

/** Other people may change other surveys between two tries. */
const MOST_TRIES = 4;

/** If other people changed the survey, tries again with the stored version unless the changes conflict. */
async function attempt(ask: Ask, first: Draft, finish: (draft: Draft) => Promise<Outcome>): Promise<Outcome> {
  let draft = first;
  for (let tries = 1; ; tries++) {
    try {
      return await finish(draft);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.code !== 'surveys_changed' || tries === MOST_TRIES) return { is: 'refused', error };
    }
    try {
      const met = rebase(draft, await readDefinitions(ask));
      if ('is' in met) return met;
      draft = met;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { is: 'refused', error };
    }
  }
}

const preview = (ask: Ask, draft: Draft, { status, isOfStatus }: Wish): Promise<Outcome> =>
  attempt(ask, draft, async (current) => {
    const { mine, base = mine } = current;
    const target = changed(isOfStatus ? base : mine, { status });
    const { revision } = current;
    const [own] = (await putDefinitions(ask, { revision, surveys: [target], dryRun: true })).changes;
    const changes = own?.action === 'updated' ? changeWords(own.fields) : own ? newSurveyWords(target) : [];
    const warnings = warningsOf(current.base, target, Date.now());
    return { is: 'reviewed', review: { draft: current, target, isOfStatus, changes, warnings } };
  });

/** Applies a status to the stored survey. It is safe to repeat this after a lost reply. */
const store = (ask: Ask, review: Review): Promise<Outcome> =>
  attempt(ask, { ...review.draft, sent: review.target }, async (current) => {
    const { base } = current;
    const { status } = review.target;
    const target = review.isOfStatus && base !== undefined ? changed(base, { status }) : review.target;
    const body = { revision: current.revision, surveys: [target], dryRun: false };
    const { revision } = await putDefinitions(ask, body);
    return { is: 'stored', review: { ...review, target }, revision };
  });

export type Opened =
  | { readonly drafting?: undefined; readonly problem: string | undefined; readonly again: () => void }
  | { readonly drafting: Drafting | 'unknown' };

/** @param slug empty for a new survey */
export function useOpenedDraft(slug: string): Opened {
  const { ask } = useSession();
  const [kept, setKept] = useState(() => recallDraft(slug));
  const [definitions, setDefinitions] = useState<Definitions>();
  const [problem, setProblem] = useState<string>();
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: repeated with each try
  useEffect(() => {
    let isOver = false;
    // A new sign-in keeps the draft.
    if (definitions !== undefined) return;
    setProblem(undefined);
    const take = (read: Definitions): void => {
      if (isOver) return;
      if (kept !== undefined) {
        const stored = read.surveys.find((survey) => survey.slug === kept.mine.slug);
        const next = afterReading(kept, stored, read.revision);
        keepDraft(slug, next);
        setKept(next);
      }
      setDefinitions(read);
    };
    readDefinitions(ask).then(take, (error: unknown) => !isOver && setProblem(messageOf(error)));
    return () => {
      isOver = true;
    };
  }, [ask, tries]);
  if (definitions === undefined) return { problem, again: () => setTries((count) => count + 1) };
  return { drafting: openDraft(slug, definitions, kept, Date.now()) ?? 'unknown' };
}

interface Attention {
  readonly goToProblem: (path: string) => void;
  readonly goToNote: () => void;
}

export function useDraft(opened: Drafting, { goToProblem, goToNote }: Attention) {
  const { ask } = useSession();
  const isOver = useOver();
  const [drafting, setDrafting] = useState(() => {
    const note = takeNote(opened.slug);
    // A new copy is not a draft from an earlier visit.
    return { ...opened, note, wasKept: opened.wasKept && note === '' };
  });
  const current = useRef(drafting);

  async function answer(asked: Promise<Outcome>): Promise<void> {
    try {
      send({ type: 'answer', outcome: await asked });
    } catch (error) {
      send({ type: 'answer', outcome: { is: 'broken' } });
      throw error;
    }
  }
  function run(effect: Effect): void {
    const { type } = effect;
    if (type === 'keep') keepDraft(effect.slug, effect.draft);
    else if (type === 'preview') void answer(preview(ask, effect.draft, effect.wish));
    else if (type === 'store') void answer(store(ask, effect.review));
    else if (type === 'show problem') goToProblem(effect.path);
    else if (type === 'show note') goToNote();
    else if (type === 'go to overview') go({ screen: 'overview' });
    else {
      leaveNote(effect.slug, effect.note);
      go({ screen: 'edit', slug: effect.slug });
    }
  }
  const runner = useRef(run);
  runner.current = run;
  const send = useCallback(
    (event: DraftEvent): void => {
      // The next screen may store a draft under the same name.
      if (isOver()) return;
      const [next, ...effects] = transition(current.current, event, Date.now());
      current.current = next;
      setDrafting(next);
      for (const effect of effects) runner.current(effect);
    },
    [isOver],
  );
  const { draft, taken } = drafting;
  const problems = useMemo(() => draftProblems({ draft, taken }), [draft, taken]);
  return { ...drafting, problems, isOffered: drafting.wasKept && hasChanges(draft), send };
}
