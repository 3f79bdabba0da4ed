/** The editor: the form, the preview beside it, and what can be done with the survey. */

import { useMemo, useState } from 'preact/hooks';
import type { SurveyStatus } from '../../../../shared/domain/surveys/survey.ts';
import { STATUS_WORDS } from '../../../surveys/field-words.ts';
import { afterStoring, hasChanges, type KeptDraft } from '../../../surveys/kept-draft.ts';
import { problemsIn } from '../../../surveys/problems.ts';
import { go, hrefOf } from '../shell/route.ts';
import { Actions } from './actions.tsx';
import { Audience } from './audience.tsx';
import { ConflictDialog } from './conflict.tsx';
import { type Editing, EditingProvider, idOf } from './editing.tsx';
import { KeptNote, NOTE_ID } from './kept-note.tsx';
import { Preview } from './preview.tsx';
import type { Review, Wish } from './publish.ts';
import { ReviewDialog } from './review.tsx';
import { HowOftenSection } from './sections/how-often.tsx';
import { LanguagesSection } from './sections/languages.tsx';
import { QuestionSection } from './sections/question.tsx';
import { ResultsBySection } from './sections/results-by.tsx';
import { ThanksSection } from './sections/thanks.tsx';
import { WhenSection } from './sections/when.tsx';
import { WhereSection } from './sections/where.tsx';
import { WhoSection } from './sections/who.tsx';
import { TryOnSite } from './try-on-site.tsx';
import { keepDraft, untouched, useDraft } from './use-draft.ts';
import { usePublishing } from './use-publishing.ts';

interface EditProps {
  /** Empty of a new survey. */
  readonly slug: string;
  readonly initial: KeptDraft;
  /** Whether that was kept from before. */
  readonly isKept: boolean;
  /** What there is without it. */
  readonly fresh: KeptDraft;
  readonly taken: readonly string[];
}

/** What became of it. */
const DONE: Readonly<Record<SurveyStatus, string>> = {
  draft: 'The draft is stored.',
  active: 'Published.',
  paused: 'Paused.',
  archived: 'Archived.',
};
const storedWords = ({ target, draft }: Review): string =>
  target.status === draft.base?.status ? 'Your changes are stored.' : DONE[target.status];

/** What the screen of a survey that has just been made says first. */
let left = { slug: '', note: '' };
function leaveNote(slug: string, note: string): void {
  left = { slug, note };
}
function takeNote(slug: string): string {
  const { note } = left.slug === slug ? left : { note: '' };
  leaveNote('', '');
  return note;
}

/** Takes the person to the first problem. */
function goToProblem(path: string): void {
  const field = document.getElementById(idOf(path));
  field?.closest('details')?.setAttribute('open', '');
  field?.focus();
}

export function EditSurvey({ slug, initial, isKept, fresh, taken }: EditProps) {
  const { draft, version, change, replace, latest, send } = useDraft(slug, initial);
  const [known, setKnown] = useState(taken);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [hasTried, setTried] = useState(false);
  const [note, setNote] = useState(() => takeNote(slug));
  const [view, setView] = useState<'form' | 'preview'>('form');
  const { mine, base } = draft;
  const problems = useMemo(
    () => problemsIn(mine, { base, taken: known.filter((each) => each !== draft.sent?.slug) }),
    [mine, base, known, draft.sent],
  );

  const onStored = ({ target, isOfStatus, ...review }: Review, revision: number): void => {
    setTried(false);
    setTouched(new Set());
    setNote(storedWords({ target, isOfStatus, ...review }));
    setTimeout(() => document.getElementById(NOTE_ID)?.focus());
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
    },
    onStored,
    onMerged: replace,
    onGone: (next, slugs) => {
      setKnown(slugs);
      replace(next);
    },
    onSending: ({ target, draft: { base: before } }) => before === undefined && send(target),
  });
  const { showing, refused } = publishing;
  const all = [...problems, ...refused];
  const editing: Editing = {
    ...{ survey: mine, base, change, taken: known },
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
    setView('form');
    setTimeout(() => goToProblem(first.path));
  };
  const discard = (): void => {
    setTried(false);
    setTouched(new Set());
    replace(base === undefined ? fresh : untouched(base, draft.revision));
    setNote(base === undefined ? '' : 'Your changes are discarded.');
    if (base === undefined) keepDraft(slug, undefined);
  };

  return (
    <EditingProvider value={editing}>
      <header class="editor-top">
        <nav aria-label="Where you are">
          <a href={hrefOf({ screen: 'overview' })}>Surveys</a>
          {slug !== '' && (
            <>
              <span aria-hidden="true"> / </span>
              <a href={hrefOf({ screen: 'survey', slug })}>{slug}</a>
            </>
          )}
        </nav>
        <h1>
          {slug === '' ? 'New survey' : `Edit ${slug}`}{' '}
          <span class={`status ${base?.status ?? 'draft'}`}>{STATUS_WORDS[base?.status ?? 'draft']}</span>
        </h1>
        <Actions draft={draft} isDirty={hasChanges(draft)} onWish={begin} onDiscard={discard} />
        <fieldset class="choices views">
          <legend>View</legend>
          {(['form', 'preview'] as const).map((each) => (
            <label key={each}>
              <input type="radio" name="view" checked={view === each} onChange={() => setView(each)} />
              <span>{each === 'form' ? 'Form' : 'Preview'}</span>
            </label>
          ))}
        </fieldset>
      </header>
      <KeptNote draft={draft} isKept={isKept} note={note} onDiscard={discard} />
      {publishing.problem !== undefined && (
        <p class="problem card wrong" role="alert">
          {publishing.problem} What you typed is kept in this tab.
        </p>
      )}
      {hasTried && problems.length > 0 && (
        <div class="problem card" role="alert">
          <p>
            {problems.length === 1 ? 'One thing is' : `${problems.length} things are`} not right yet:{' '}
            {problems[0]?.words}
          </p>
        </div>
      )}
      <div class={`editor show-${view}`}>
        <div class="form" key={version} inert={showing.is !== 'nothing'}>
          <QuestionSection />
          <WhoSection />
          <WhereSection />
          <WhenSection />
          <HowOftenSection />
          <ThanksSection />
          <LanguagesSection />
          <ResultsBySection />
        </div>
        <div class="beside">
          <Preview survey={mine} />
          <Audience survey={mine} />
          <TryOnSite survey={mine} isSound={problems.length === 0} />
        </div>
      </div>
      {(showing.is === 'review' || showing.is === 'storing') && (
        <ReviewDialog
          review={showing.review}
          isStoring={showing.is === 'storing'}
          problem={showing.problem}
          onConfirm={() => void publishing.confirm(showing.review)}
          onClose={publishing.close}
        />
      )}
      {showing.is === 'conflict' && (
        <ConflictDialog
          conflict={showing.conflict}
          mine={mine}
          onDecide={(decided) => publishing.decide(showing.conflict, showing.wish, decided)}
          onClose={publishing.close}
        />
      )}
    </EditingProvider>
  );
}
