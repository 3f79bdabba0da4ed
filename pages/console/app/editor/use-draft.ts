/** The survey as somebody types it, kept in the tab with each letter. */

import { useCallback, useState } from 'preact/hooks';
import type { WrittenSurvey } from '../../../../shared/domain/surveys/written-survey.ts';
import { changed, type Patch } from '../../../surveys/edited-survey.ts';
import { hasChanges, isKeptDraft, type KeptDraft } from '../../../surveys/kept-draft.ts';
import { keep, recall } from '../session/tab.ts';

/** @param slug empty of a new survey */
const nameOf = (slug: string): string => `draft/${slug}`;

export function recallDraft(slug: string): KeptDraft | undefined {
  try {
    const kept: unknown = JSON.parse(recall(nameOf(slug)) ?? 'null');
    return isKeptDraft(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** Kept while there is something to keep. */
export const keepDraft = (slug: string, draft: KeptDraft | undefined): void =>
  keep(nameOf(slug), draft !== undefined && hasChanges(draft) ? JSON.stringify(draft) : null);

export interface Drafting {
  readonly draft: KeptDraft;
  /** Counts how often it was replaced as a whole: what fields hold of their own is then void. */
  readonly version: number;
  readonly change: (patch: Patch) => void;
  readonly replace: (draft: KeptDraft) => void;
}

/** @param initial what is shown first, be it what was kept */
export function useDraft(slug: string, initial: KeptDraft): Drafting {
  const [{ draft, version }, setState] = useState({ draft: initial, version: 0 });
  const change = useCallback(
    (patch: Patch) =>
      setState((state) => {
        const next = { ...state.draft, mine: changed(state.draft.mine, patch), at: Date.now() };
        keepDraft(slug, next);
        return { ...state, draft: next };
      }),
    [slug],
  );
  const replace = useCallback(
    (next: KeptDraft) => {
      keepDraft(slug, next);
      setState((state) => ({ draft: next, version: state.version + 1 }));
    },
    [slug],
  );
  return { draft, version, change, replace };
}

/** A draft of what is there, with nothing typed yet. */
export const untouched = (base: WrittenSurvey, revision: number): KeptDraft => ({
  mine: base,
  base,
  revision,
  at: Date.now(),
});
