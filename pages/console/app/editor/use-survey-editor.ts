/** The editor without its looks: what is typed, what is wrong with it, and what becomes of it. */

import { useMemo, useState } from 'preact/hooks';
import type { SurveyStatus } from '../../../../shared/domain/surveys/survey.ts';
import { afterStoring, hasChanges } from '../../../surveys/kept-draft.ts';
import { problemsIn } from '../../../surveys/problems.ts';
import { go } from '../shell/route.ts';
import type { Editing } from './editing.tsx';
import { leaveNote, takeNote } from './left-note.ts';
import type { Review, Wish } from './publish.ts';
import type { Beginning } from './use-beginning.ts';
import { keepDraft, untouched, useDraft } from './use-draft.ts';
import { usePublishing } from './use-publishing.ts';

interface Editor extends Beginning {
  /** Empty of a new survey. */
  readonly slug: string;
  /** Takes the person to what is not right yet. */
  readonly goToProblem: (path: string) => void;
  /** Takes them to what was done. */
  readonly goToNote: () => void;
}

/** What became of it. */
const DONE: Readonly<Record<SurveyStatus, string>> = {
  draft: 'The draft is saved.',
  active: 'Published.',
  paused: 'Paused.',
  archived: 'Archived.',
};
const storedWords = ({ target, draft }: Review): string =>
  target.status !== draft.base?.status
    ? DONE[target.status]
    : target.status === 'active'
      ? 'Your changes are published.'
      : 'Your changes are saved.';

export function useSurveyEditor({ slug, initial, isKept, fresh, taken, goToProblem, goToNote }: Editor) {
  const { draft, version, change, replace, latest, send, isOver } = useDraft(slug, initial);
  const [known, setKnown] = useState(taken);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [hasTried, setTried] = useState(false);
  const [note, setNote] = useState(() => takeNote(slug));
  // What was brought here from the screen before is no news.
  const [wasKept, setKept] = useState(isKept && note === '');
  const [isRemoved, setRemoved] = useState(fresh === undefined);
  const { mine, base } = draft;
  const problems = useMemo(
    () => problemsIn(mine, { base, taken: known.filter((each) => each !== draft.sent?.slug) }),
    [mine, base, known, draft.sent],
  );

  const onStored = ({ target, isOfStatus, ...review }: Review, revision: number): void => {
    // The draft stays kept with what was sent: opened again, it is compared with what is stored.
    if (isOver()) return;
    setTried(false);
    setTouched(new Set());
    setKept(false);
    setRemoved(false);
    setNote(storedWords({ target, isOfStatus, ...review }));
    goToNote();
    const next = afterStoring(latest(), { draft: review.draft, target, isOfStatus, revision }, Date.now());
    replace(next);
    if (slug === target.slug) return;
    keepDraft(slug, undefined);
    keepDraft(target.slug, next);
    leaveNote(target.slug, storedWords({ target, isOfStatus, ...review }));
    go({ screen: 'edit', slug: target.slug });
  };
  const publishing = usePublishing({
    onTaken: (slugs) => {
      setKnown(slugs);
      setTried(true);
      goToProblem('slug');
    },
    onStored,
    onMerged: (next) => {
      setRemoved(false);
      replace(next);
    },
    onGone: (next, slugs) => {
      setKnown(slugs);
      setRemoved(true);
      // What is typed by now, not when it was asked.
      replace({ ...next, mine: latest().mine });
    },
    onSending: ({ target, draft: shown }) => send(target, shown),
  });
  const { showing, refused } = publishing;
  const all = [...problems, ...refused];
  const editing: Editing = {
    ...{ survey: mine, base, taken: known },
    change: (patch) => {
      setNote('');
      change(patch);
    },
    problemAt: (path) =>
      hasTried || touched.has(path) ? all.find((problem) => problem.path === path)?.words : undefined,
    touch: (path) => setTouched((before) => (before.has(path) ? before : new Set([...before, path]))),
  };
  const begin = (wish: Wish): void => {
    // Not by a button that is disabled: it would lose the focus, which comes back to it from the dialog.
    if (showing.is !== 'nothing') return;
    setNote('');
    const [first] = problems;
    if (wish.isOfStatus || first === undefined) return void publishing.begin(draft, wish);
    setTried(true);
    goToProblem(first.path);
  };
  const discard = (): void => {
    // What is being asked for would be stored all the same.
    if (showing.is !== 'nothing') return;
    setTried(false);
    setTouched(new Set());
    setKept(false);
    publishing.forget();
    const before = base === undefined ? fresh : untouched(base, draft.revision);
    if (isRemoved || before === undefined) {
      // There is nothing to go back to.
      keepDraft(slug, undefined);
      go({ screen: 'overview' });
      return;
    }
    replace(before);
    // A new survey is worth keeping from its next letter on.
    if (before.base === undefined) keepDraft(slug, undefined);
    setNote('Your changes are discarded.');
    goToNote();
  };
  const isOffered = wasKept && hasChanges(draft);
  return { draft, version, isOffered, editing, problems, hasTried, note, publishing, begin, discard };
}
