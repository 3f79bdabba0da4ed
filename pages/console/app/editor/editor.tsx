import { useEffect, useState } from 'preact/hooks';
import type { WrittenSurvey } from '../../../../shared/domain/surveys/written-survey.ts';
import { hasChanges } from '../../rules/draft.ts';
import type { Drafting } from '../../rules/draft-machine.ts';
import { describeTyped } from '../../rules/edited-survey.ts';
import { Problem, Status, Unknown, Waiting } from '../shell/notice.tsx';
import { hrefOf } from '../shell/route.ts';
import { Actions } from './actions.tsx';
import { Alerts, bringIntoView, KeptNote, NOT_RIGHT_ID, NOTE_ID, StateNote } from './alerts.tsx';
import { ConflictDialog, ReviewDialog } from './dialogs.tsx';
import { afterPress, type Editing, EditingProvider, idOf } from './editing.tsx';
import { Preview } from './preview.tsx';
import { HowOftenSection } from './sections/how-often.tsx';
import { LanguagesSection } from './sections/languages.tsx';
import { QuestionSection } from './sections/question.tsx';
import { ResultsBySection } from './sections/results-by.tsx';
import { TemplatesSection } from './sections/templates.tsx';
import { ThanksSection } from './sections/thanks.tsx';
import { WhenSection } from './sections/when.tsx';
import { WhereSection } from './sections/where.tsx';
import { WhoSection } from './sections/who.tsx';
import { TryOnSite } from './try-on-site.tsx';
import { useDraft, useOpenedDraft } from './use-draft.ts';

function focusProblem(path: string): void {
  const field = document.getElementById(idOf(path));
  if (field === null) bringIntoView(document.getElementById(NOT_RIGHT_ID));
  field?.closest('details')?.setAttribute('open', '');
  field?.focus();
}

function focusNote(): void {
  setTimeout(() => document.getElementById(NOTE_ID)?.focus({ preventScroll: true }));
}

function Audience({ survey }: { readonly survey: WrittenSurvey }) {
  const { text, unsaid } = describeTyped(survey);
  return (
    <section class="card audience" aria-labelledby="audience-title">
      <h2 class="part-title" id="audience-title">
        {survey.trigger === 'person' ? 'Who can open the survey' : 'Who is asked'}
      </h2>
      <p>{text}</p>
      {unsaid.length > 0 && (
        <details class="more">
          <summary>Notes</summary>
          <ul>
            {unsaid.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function EditSurvey({ opened }: { readonly opened: Drafting }) {
  const { slug } = opened;
  const [view, setView] = useState<'form' | 'preview'>('form');
  const { draft, version, state, isOffered, problems, hasTried, note, send, ...drafting } = useDraft(opened, {
    goToProblem: (path) => {
      setView('form');
      setTimeout(() => focusProblem(path));
    },
    goToNote: focusNote,
  });
  const { mine, base } = draft;
  const { touched, refused, failure } = drafting;
  const editing: Editing = {
    ...{ survey: mine, base, taken: opened.taken },
    change: (patch) => send({ type: 'change', patch }),
    problemAt: (path) =>
      hasTried || touched.has(path)
        ? [...problems, ...refused].find((problem) => problem.path === path)?.words
        : undefined,
    touch: (path) => afterPress(() => send({ type: 'touch', path })),
  };
  const isChecking = state.is === 'reviewing' && state.review === undefined;
  const review = state.is === 'reviewing' || state.is === 'storing' ? state.review : undefined;
  const discard = () => send({ type: 'discard' });
  const close = () => send({ type: 'close' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only for a note from the screen before
  useEffect(() => {
    if (note !== '') focusNote();
  }, []);

  return (
    <EditingProvider value={editing}>
      <header class="editor-top">
        <nav aria-label="Breadcrumb">
          <a href={hrefOf({ screen: 'overview' })}>Surveys</a>
          {slug !== '' && (
            <>
              <span aria-hidden="true"> / </span>
              <a href={hrefOf({ screen: 'survey', slug })}>{slug}</a>
            </>
          )}
        </nav>
        <h1>
          {slug === '' ? 'New survey' : `Edit ${slug}`} <Status of={base?.status ?? 'draft'} />
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
            asked={isChecking ? state.wish : undefined}
            onWish={(wish) => send({ type: 'wish', wish })}
            onDiscard={discard}
          />
        </div>
      </header>
      {isOffered && <KeptNote at={draft.at} onDiscard={discard} />}
      <Alerts failure={failure} problems={hasTried ? problems : []} />
      <div class={`editor show-${view}`}>
        <div
          class="form"
          key={version}
          inert={state.is !== 'typed' && state.is !== 'gone'}
          aria-busy={isChecking}
        >
          {slug === '' && <TemplatesSection />}
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
      {review !== undefined && (
        <ReviewDialog
          review={review}
          isStoring={state.is === 'storing'}
          problem={state.is === 'reviewing' ? state.problem : undefined}
          onConfirm={() => send({ type: 'confirm' })}
          onClose={close}
        />
      )}
      {state.is === 'conflict' && (
        <ConflictDialog
          conflict={state.conflict}
          mine={mine}
          onDecide={(decided) => send({ type: 'decide', mine: decided })}
          onClose={close}
        />
      )}
    </EditingProvider>
  );
}

/** @param slug empty for a new survey */
export function Editor({ slug }: { readonly slug: string }) {
  const opened = useOpenedDraft(slug);
  if (opened.drafting === undefined)
    return opened.problem === undefined ? (
      <Waiting />
    ) : (
      <Problem words={opened.problem} action={{ words: 'Try again', run: opened.again }} />
    );
  return opened.drafting === 'unknown' ? <Unknown /> : <EditSurvey opened={opened.drafting} />;
}
