/** Messages of the editor: what went wrong, what is not stored, and what was just done. */

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type Draft, hasChanges } from '../../rules/draft.ts';
import { timeWords } from '../../rules/field-words.ts';
import type { EditProblem } from '../../rules/problems.ts';
import { hrefOf } from '../shell/route.ts';

/** Where the focus goes for what has no field. */
export const NOT_RIGHT_ID = 'editor-not-right';

/** In the middle, so that a sign-in that has ended, above it, is seen as well. */
export function bringIntoView(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
  element?.scrollIntoView({ block: 'center' });
}

/** Drawn once something has gone wrong. */
function Failure({ children }: { readonly children: ComponentChildren }) {
  const box = useRef<HTMLParagraphElement>(null);
  useEffect(() => bringIntoView(box.current), []);
  return (
    <p class="problem card wrong" role="alert" tabIndex={-1} ref={box}>
      {children}
    </p>
  );
}

interface AlertsProps {
  /** What the service refused. */
  readonly failure: string | undefined;
  /** What is not right yet, where somebody has tried to publish it. */
  readonly problems: readonly EditProblem[];
}

export function Alerts({ failure, problems }: AlertsProps) {
  const [first] = problems;
  return (
    <>
      {failure !== undefined && <Failure>{failure} Your changes are kept in this tab.</Failure>}
      {first !== undefined && (
        <div class="problem card" role="alert" tabIndex={-1} id={NOT_RIGHT_ID}>
          <p>
            {problems.length === 1 ? '1 problem' : `${problems.length} problems`} to fix: {first.words}
          </p>
        </div>
      )}
    </>
  );
}

interface NoteProps {
  readonly draft: Draft;
  readonly note: string;
}

/** Where the focus goes once something is done. */
export const NOTE_ID = 'editor-note';

/** What has just been done, or that something is not published yet: in a place of its own, so that nothing moves for it. */
export function StateNote({ draft, note }: NoteProps) {
  const { base } = draft;
  const isTyped = hasChanges(draft) && base !== undefined && note === '';
  return (
    <div class="state">
      <p role="status" id={NOTE_ID} tabIndex={-1}>
        {note}
      </p>
      {note !== '' && base?.status === 'active' && (
        <a href={hrefOf({ screen: 'survey', slug: base.slug })}>See results</a>
      )}
      {isTyped && <p class="about">Unpublished changes</p>}
    </div>
  );
}

/** It was kept from before: it is offered again. */
export function KeptNote({ at, onDiscard }: { readonly at: number; readonly onDiscard: () => void }) {
  return (
    <p class="kept">
      You last edited this on {timeWords(at)} and did not publish it. It was kept in this tab.{' '}
      <button type="button" class="link" onClick={onDiscard}>
        Discard it
      </button>
    </p>
  );
}
