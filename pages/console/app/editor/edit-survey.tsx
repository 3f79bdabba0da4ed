/** The editor: the form, the preview beside it, and what can be done with the survey. */

import { useEffect, useState } from 'preact/hooks';
import { STATUS_WORDS } from '../../../surveys/field-words.ts';
import { hasChanges } from '../../../surveys/kept-draft.ts';
import { hrefOf } from '../shell/route.ts';
import { Actions } from './actions.tsx';
import { afterPress } from './after-press.ts';
import { Alerts, bringIntoView, NOT_RIGHT_ID } from './alerts.tsx';
import { Audience } from './audience.tsx';
import { ConflictDialog } from './conflict.tsx';
import { EditingProvider, idOf } from './editing.tsx';
import { KeptNote, NOTE_ID, StateNote } from './kept-note.tsx';
import { Preview } from './preview.tsx';
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
import type { Beginning } from './use-beginning.ts';
import { useSurveyEditor } from './use-survey-editor.ts';

interface EditProps extends Beginning {
  /** Empty of a new survey. */
  readonly slug: string;
}

function focusProblem(path: string): void {
  const field = document.getElementById(idOf(path));
  if (field === null) bringIntoView(document.getElementById(NOT_RIGHT_ID));
  field?.closest('details')?.setAttribute('open', '');
  field?.focus();
}

/** Once it is drawn. */
function focusNote(): void {
  setTimeout(() => document.getElementById(NOTE_ID)?.focus({ preventScroll: true }));
}

export function EditSurvey(beginning: EditProps) {
  const { slug } = beginning;
  const [view, setView] = useState<'form' | 'preview'>('form');
  const { draft, version, isOffered, editing, problems, hasTried, note, ...editor } = useSurveyEditor({
    ...beginning,
    goToProblem: (path) => {
      setView('form');
      setTimeout(() => focusProblem(path));
    },
    goToNote: focusNote,
  });
  const { publishing, begin, discard } = editor;
  const { mine, base } = draft;
  const { showing } = publishing;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the screen before has left, once
  useEffect(() => {
    if (note !== '') focusNote();
  }, []);

  return (
    <EditingProvider value={{ ...editing, touch: (path) => afterPress(() => editing.touch(path)) }}>
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
        <div class="bar">
          <fieldset class="choices views">
            <legend>View</legend>
            {(['form', 'preview'] as const).map((each) => (
              <label key={each}>
                <input type="radio" name="view" checked={view === each} onChange={() => setView(each)} />
                <span>{each === 'form' ? 'Form' : 'Preview'}</span>
              </label>
            ))}
          </fieldset>
          <StateNote draft={draft} note={note} />
          <Actions
            draft={draft}
            isDirty={hasChanges(draft)}
            asked={showing.is === 'asking' ? showing.wish : undefined}
            onWish={begin}
            onDiscard={discard}
          />
        </div>
      </header>
      {isOffered && <KeptNote at={draft.at} onDiscard={discard} />}
      <Alerts failure={publishing.problem} problems={hasTried ? problems : []} />
      <div class={`editor show-${view}`}>
        <div class="form" key={version} inert={showing.is !== 'nothing'} aria-busy={showing.is === 'asking'}>
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
