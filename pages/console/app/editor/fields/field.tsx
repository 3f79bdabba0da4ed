/** A control with its label above, its help below that, and what is wrong with it. */

import type { ComponentChildren } from 'preact';
import { idOf, useEditing } from '../editing.tsx';

export interface Named {
  /** The place in the survey: `thanks.link.url`. */
  readonly path: string;
  readonly label: string;
  readonly help?: ComponentChildren;
}

/** What a control says of its label, help and problem. */
export function useControl(path: string, hasHelp: boolean) {
  const { problemAt, touch } = useEditing();
  const problem = problemAt(path);
  const id = idOf(path);
  const told = [hasHelp ? `${id}-help` : '', problem === undefined ? '' : `${id}-problem`].filter(Boolean);
  return {
    id,
    'aria-invalid': problem !== undefined,
    ...(told.length > 0 && { 'aria-describedby': told.join(' ') }),
    onBlur: () => touch(path),
  } as const;
}

interface FieldProps extends Named {
  readonly children: ComponentChildren;
  /** Not to be seen, where what stands around says it already. */
  readonly isQuiet?: boolean;
}

export function Problem({ path }: { readonly path: string }) {
  const problem = useEditing().problemAt(path);
  return problem === undefined ? null : (
    <p class="wrong" id={`${idOf(path)}-problem`}>
      {problem}
    </p>
  );
}

export function Field({ path, label, help, children, isQuiet = false }: FieldProps) {
  const id = idOf(path);
  return (
    <div class="field">
      <label for={id} {...(isQuiet && { class: 'unseen' })}>
        {label}
      </label>
      {help !== undefined && (
        <p class="about" id={`${id}-help`}>
          {help}
        </p>
      )}
      {children}
      <Problem path={path} />
    </div>
  );
}
