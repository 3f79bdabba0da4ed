import type { ComponentChildren } from 'preact';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { WrittenSurvey } from '../../../../shared/domain/surveys/written-survey.ts';
import type { Patch } from '../../rules/edited-survey.ts';

export interface Editing {
  readonly survey: WrittenSurvey;
  /** The stored survey; undefined for a new one. */
  readonly base: WrittenSurvey | undefined;
  readonly taken: readonly string[];
  readonly change: (patch: Patch) => void;
  /** Undefined until the person leaves the field or tries to publish. */
  readonly problemAt: (path: string) => string | undefined;
  readonly touch: (path: string) => void;
}

const EditingContext = createContext<Editing | undefined>(undefined);

export const EditingProvider = EditingContext.Provider;

export function useEditing(): Editing {
  const editing = useContext(EditingContext);
  if (editing === undefined) throw new Error('No survey is edited.');
  return editing;
}

/** Returns an id such as `field-reasons-0-label`. */
export const idOf = (path: string): string => `field-${path.replace(/[^\w-]+/g, '-')}`;

/** Focuses a control after the next render. */
export function focusOn(id: string): void {
  setTimeout(() => document.getElementById(id)?.focus());
}

let isPressed = false;
let waiting: readonly (() => void)[] = [];

function begin(): void {
  isPressed = true;
}
function end(): void {
  // Waits until the click event has fired.
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

/** A render during a press could move the button away from the pointer, and the click would be lost. */
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
