/** What the sections of the form share: the survey, how to change it, and what is wrong with it. */

import type { ComponentChildren } from 'preact';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { WrittenSurvey } from '../../../../shared/domain/surveys/written-survey.ts';
import type { Patch } from '../../rules/edited-survey.ts';

export interface Editing {
  readonly survey: WrittenSurvey;
  /** As it is stored; undefined of one that nobody has stored yet. */
  readonly base: WrittenSurvey | undefined;
  /** Slugs of the project's surveys. */
  readonly taken: readonly string[];
  readonly change: (patch: Patch) => void;
  /** What is wrong at a place, once somebody has been there or has tried to publish. */
  readonly problemAt: (path: string) => string | undefined;
  /** Somebody has left a field. */
  readonly touch: (path: string) => void;
}

const EditingContext = createContext<Editing | undefined>(undefined);

export const EditingProvider = EditingContext.Provider;

export function useEditing(): Editing {
  const editing = useContext(EditingContext);
  if (editing === undefined) throw new Error('nothing is edited');
  return editing;
}

/** Of the control of a place in the survey: `field-reasons-0-label`. */
export const idOf = (path: string): string => `field-${path.replace(/[^\w-]+/g, '-')}`;

/** Takes the focus to a control once it is drawn: one that was just added, or what is left where one was removed. */
export function focusOn(id: string): void {
  setTimeout(() => document.getElementById(id)?.focus());
}

let isPressed = false;
let waiting: readonly (() => void)[] = [];

function begin(): void {
  isPressed = true;
}
function end(): void {
  // The event of the click comes first.
  setTimeout(() => {
    isPressed = false;
    const due = waiting;
    waiting = [];
    for (const run of due) run();
  });
}
addEventListener('pointerdown', begin, true);
addEventListener('pointerup', end, true);
addEventListener('pointercancel', end, true);

/**
 * Runs it at once, or when a press that is under way has become a click: what is drawn anew in between could move the
 * button away from under the pointer, and nothing would have been pressed.
 */
export function afterPress(run: () => void): void {
  if (isPressed) waiting = [...waiting, run];
  else run();
}

interface SectionProps {
  readonly id: string;
  readonly title: string;
  readonly about?: string;
  readonly children: ComponentChildren;
}

/** A part of the form. */
export function Section({ id, title, about, children }: SectionProps) {
  return (
    <section class="card part" aria-labelledby={`part-${id}`}>
      <header>
        <h2 class="part-title" id={`part-${id}`}>
          {title}
        </h2>
        {about !== undefined && <p class="about">{about}</p>}
      </header>
      {children}
    </section>
  );
}
