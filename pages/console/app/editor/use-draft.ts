/** The survey as somebody types it, kept in the tab with each letter. */

import { useCallback, useRef, useState } from 'preact/hooks';
import type { WrittenSurvey } from '../../../../shared/domain/surveys/written-survey.ts';
import { changed, type Patch } from '../../../surveys/edited-survey.ts';
import {
  draftText,
  hasChanges,
  isKeptDraft,
  type KeptDraft,
  keptAs,
  sending,
} from '../../../surveys/kept-draft.ts';
import { draftName, keep, recall } from '../session/tab.ts';
import { useOver } from '../session/use-over.ts';

/** @param slug empty of a new survey */
export function recallDraft(slug: string): KeptDraft | undefined {
  try {
    const kept: unknown = JSON.parse(recall(draftName(slug)) ?? 'null');
    return isKeptDraft(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** Kept while there is something to keep. */
export const keepDraft = (slug: string, draft: KeptDraft | undefined): void =>
  keep(draftName(slug), draft !== undefined && hasChanges(draft) ? draftText(draft) : null);

export interface Drafting {
  readonly draft: KeptDraft;
  /** Counts how often it was replaced as a whole: what fields hold of their own is then void. */
  readonly version: number;
  readonly change: (patch: Patch) => void;
  readonly replace: (draft: KeptDraft) => void;
  /** As it is by now, for what has waited for the service. */
  readonly latest: () => KeptDraft;
  /** Before a survey is sent to be stored. @param shown the draft that was shown beside it */
  readonly send: (target: WrittenSurvey, shown: KeptDraft) => void;
  /** Whether the screen is gone: another one may keep a draft by the same name. */
  readonly isOver: () => boolean;
}

/** @param initial what is shown first, be it what was kept */
export function useDraft(slug: string, initial: KeptDraft): Drafting {
  const [{ draft, version }, setState] = useState({ draft: initial, version: 0 });
  const current = useRef(initial);
  const isOver = useOver();
  const set = useCallback(
    (next: KeptDraft, isWhole: boolean) => {
      if (isOver()) return;
      current.current = next;
      keepDraft(slug, next);
      setState((state) => ({ draft: next, version: state.version + (isWhole ? 1 : 0) }));
    },
    [slug, isOver],
  );
  const change = useCallback(
    (patch: Patch) => {
      const { current: before } = current;
      set({ ...before, mine: changed(before.mine, patch), at: Date.now() }, false);
    },
    [set],
  );
  const replace = useCallback((next: KeptDraft) => set(keptAs(next), true), [set]);
  const send = useCallback(
    (target: WrittenSurvey, shown: KeptDraft) => set(sending(current.current, shown, target), false),
    [set],
  );
  const latest = useCallback(() => current.current, []);
  return { draft, version, change, replace, latest, send, isOver };
}

/** A draft of what is there, with nothing typed yet. */
export const untouched = (base: WrittenSurvey, revision: number): KeptDraft => ({
  mine: base,
  base,
  revision,
  at: Date.now(),
});
