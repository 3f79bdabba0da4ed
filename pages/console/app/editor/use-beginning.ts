/** What the editor of a survey begins with: what the tab has kept, or what is there. */

import { useEffect, useState } from 'preact/hooks';
import { newSurvey } from '../../../surveys/edited-survey.ts';
import { afterReading, hasChanges, type KeptDraft } from '../../../surveys/kept-draft.ts';
import { Refused } from '../session/ask.ts';
import { useSession } from '../session/session.tsx';
import { type Definitions, readDefinitions } from './definitions.ts';
import { keepDraft, recallDraft, untouched } from './use-draft.ts';

export interface Beginning {
  /** What is shown first. */
  readonly initial: KeptDraft;
  /** Whether that was kept from before. */
  readonly isKept: boolean;
  /** What there is without it; undefined where somebody removed the survey. */
  readonly fresh: KeptDraft | undefined;
  /** Slugs of the project's surveys. */
  readonly taken: readonly string[];
}

/** What there is to edit, if nothing was kept; undefined where there is no such survey. */
function freshDraft(slug: string, { revision, order, surveys }: Definitions): KeptDraft | undefined {
  if (slug === '') return { mine: newSurvey('nps', order), revision, at: Date.now() };
  const base = surveys.find((survey) => survey.slug === slug);
  return base && untouched(base, revision);
}

function beginningOf(
  slug: string,
  definitions: Definitions,
  kept: KeptDraft | undefined,
): Beginning | 'unknown' {
  const fresh = freshDraft(slug, definitions);
  const initial = kept !== undefined && hasChanges(kept) ? kept : fresh;
  if (initial === undefined) return 'unknown';
  return { initial, isKept: initial === kept, fresh, taken: definitions.order };
}

export type Begun =
  /** A problem where the service could not be asked. */
  | { readonly beginning?: undefined; readonly problem: string | undefined; readonly again: () => void }
  /** Unknown where there is no such survey, and nothing was kept of it. */
  | { readonly beginning: Beginning | 'unknown' };

/** @param slug empty of a new survey */
export function useBeginning(slug: string): Begun {
  const { ask } = useSession();
  const [kept, setKept] = useState(() => recallDraft(slug));
  const [definitions, setDefinitions] = useState<Definitions>();
  const [problem, setProblem] = useState<string>();
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: tried again when somebody says so
  useEffect(() => {
    let isOver = false;
    // What is being typed is not taken away by another sign-in.
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
    readDefinitions(ask).then(
      take,
      (error: unknown) => !isOver && setProblem(error instanceof Refused ? error.message : String(error)),
    );
    return () => {
      isOver = true;
    };
  }, [ask, tries]);
  if (definitions === undefined) return { problem, again: () => setTries((count) => count + 1) };
  return { beginning: beginningOf(slug, definitions, kept) };
}
