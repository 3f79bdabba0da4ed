import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type Draft, hasChanges } from '../../rules/draft.ts';
import { timeWords, wordsOfField } from '../../rules/field-words.ts';
import type { EditProblem } from '../../rules/problems.ts';
import { hrefOf } from '../shell/route.ts';

/** Gets the focus if a problem has no field. */
export const NOT_RIGHT_ID = 'editor-not-right';

/** Scrolls it to the middle, so that a sign-in banner above it stays visible. */
export function bringIntoView(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
  element?.scrollIntoView({ block: 'center' });
}

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
  readonly failure: string | undefined;
  readonly problems: readonly EditProblem[];
}

export function Alerts({ failure, problems }: AlertsProps) {
  const [first] = problems;
  return (
    <>
      {failure !== undefined && (
        <Failure>{failure} Your changes stay in this tab until you close it.</Failure>
      )}
      {first !== undefined && (
        <div class="problem card" role="alert" tabIndex={-1} id={NOT_RIGHT_ID}>
          <p>
            {problems.length === 1 ? 'Fix 1 problem' : `Fix ${problems.length} problems`} before you continue.{' '}
            {first.path !== '' && `${wordsOfField(first.path)}: `}
            {first.words}
          </p>
        </div>
      )}
    </>
  );
}

/** Gets the focus after an action. */
export const NOTE_ID = 'editor-note';

export function StateNote({ draft, note }: { readonly draft: Draft; readonly note: string }) {
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
      {isTyped && <p class="about">Unsaved changes</p>}
    </div>
  );
}

export function KeptNote({ at, onDiscard }: { readonly at: number; readonly onDiscard: () => void }) {
  return (
    <p class="kept">
      You have unsaved changes from {timeWords(at)}. They stay in this tab until you close it.{' '}
      <button type="button" class="link" onClick={onDiscard}>
        Discard changes
      </button>
    </p>
  );
}
