/** What went wrong, above the form: brought into view and given the focus, wherever somebody was when they pressed. */

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { EditProblem } from '../../../surveys/problems.ts';

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
      {failure !== undefined && <Failure>{failure} What you typed is kept in this tab.</Failure>}
      {first !== undefined && (
        <div class="problem card" role="alert" tabIndex={-1} id={NOT_RIGHT_ID}>
          <p>
            {problems.length === 1 ? 'One thing is' : `${problems.length} things are`} not right yet:{' '}
            {first.words}
          </p>
        </div>
      )}
    </>
  );
}
