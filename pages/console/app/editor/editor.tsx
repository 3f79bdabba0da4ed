/** The screen on which a survey is made or changed. */

import { useEffect, useState } from 'preact/hooks';
import { newSurvey } from '../../../surveys/edited-survey.ts';
import { hasChanges, type KeptDraft } from '../../../surveys/kept-draft.ts';
import { Refused } from '../session/ask.ts';
import { useSession } from '../session/session.tsx';
import { Problem } from '../shell/notice.tsx';
import { Unknown } from '../shell/unknown.tsx';
import { type Definitions, readDefinitions } from './definitions.ts';
import { EditSurvey } from './edit-survey.tsx';
import { recallDraft, untouched } from './use-draft.ts';

/** What there is to edit, if nothing was kept; undefined where there is no such survey. */
function freshDraft(slug: string, { revision, order, surveys }: Definitions): KeptDraft | undefined {
  if (slug === '') return { mine: newSurvey('nps', order), revision, at: Date.now() };
  const base = surveys.find((survey) => survey.slug === slug);
  return base && untouched(base, revision);
}

function useDefinitions() {
  const { ask } = useSession();
  const [definitions, setDefinitions] = useState<Definitions>();
  const [problem, setProblem] = useState<string>();
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: tried again when somebody says so
  useEffect(() => {
    let isOver = false;
    // What is being typed is not taken away by another sign-in.
    if (definitions !== undefined) return;
    setProblem(undefined);
    readDefinitions(ask).then(
      (read) => !isOver && setDefinitions(read),
      (error: unknown) => !isOver && setProblem(error instanceof Refused ? error.message : String(error)),
    );
    return () => {
      isOver = true;
    };
  }, [ask, tries]);
  return { definitions, problem, again: () => setTries((count) => count + 1) };
}

/** @param slug empty of a new survey */
export function Editor({ slug }: { readonly slug: string }) {
  const { definitions, problem, again } = useDefinitions();
  const [kept] = useState(() => recallDraft(slug));
  if (definitions === undefined)
    return problem === undefined ? (
      <p class="waiting about">Reading…</p>
    ) : (
      <Problem words={problem} action={{ words: 'Try again', run: again }} />
    );
  const fresh = freshDraft(slug, definitions);
  const initial = kept !== undefined && hasChanges(kept) ? kept : fresh;
  if (initial === undefined) return <Unknown />;
  return (
    <EditSurvey
      slug={slug}
      initial={initial}
      isKept={initial === kept}
      fresh={fresh ?? initial}
      taken={definitions.order}
    />
  );
}
