import { useState } from 'preact/hooks';
import { Field, type Named, useControl } from './field.tsx';

interface NumberProps extends Named {
  readonly value: number | undefined;
  readonly onNumber: (value: number | undefined) => void;
  /** Behind the number. */
  readonly unit?: string;
  readonly placeholder?: string;
  readonly isQuiet?: boolean;
}

/** What is no number goes on as one that the rules refuse, so that the field says so. */
export function NumberField({ value, onNumber, unit, placeholder, ...named }: NumberProps) {
  const [text, setText] = useState(value === undefined ? '' : String(value));
  const type = (typed: string): void => {
    setText(typed);
    onNumber(typed.trim() === '' ? undefined : Number(typed.trim().replace(',', '.')));
  };
  return (
    <Field {...named}>
      <span class="measured">
        <input
          type="text"
          inputMode="decimal"
          autocomplete="off"
          {...useControl(named.path, named.help !== undefined)}
          value={text}
          {...(placeholder !== undefined && { placeholder })}
          onInput={({ currentTarget }) => type(currentTarget.value)}
        />
        {unit !== undefined && <span class="about">{unit}</span>}
      </span>
    </Field>
  );
}
