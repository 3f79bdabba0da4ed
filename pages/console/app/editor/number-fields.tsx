/** Fields in which somebody types a number, with what it counts behind it. */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Field, type Named, useControl } from './fields.tsx';

interface Typing extends Named {
  readonly placeholder?: string;
  readonly isQuiet?: boolean;
}

interface TypedProps extends Typing {
  readonly text: string;
  readonly inputMode: 'decimal' | 'numeric';
  readonly onType: (text: string) => void;
  /** Behind the number. */
  readonly children: ComponentChildren;
}

function TypedField({ text, inputMode, onType, placeholder, children, ...named }: TypedProps) {
  return (
    <Field {...named}>
      <span class="measured">
        <input
          type="text"
          inputMode={inputMode}
          autocomplete="off"
          {...useControl(named.path, named.help !== undefined)}
          value={text}
          {...(placeholder !== undefined && { placeholder })}
          onInput={({ currentTarget }) => onType(currentTarget.value)}
        />
        {children}
      </span>
    </Field>
  );
}

interface NumberProps extends Typing {
  readonly value: number | undefined;
  readonly onNumber: (value: number | undefined) => void;
  /** Behind the number. */
  readonly unit?: string;
}

/** What is no number goes on as one that the rules refuse, so that the field says so. */
export function NumberField({ value, onNumber, unit, ...typing }: NumberProps) {
  const [text, setText] = useState(value === undefined ? '' : String(value));
  const type = (typed: string): void => {
    setText(typed);
    onNumber(typed.trim() === '' ? undefined : Number(typed.trim().replace(',', '.')));
  };
  return (
    <TypedField {...typing} text={text} inputMode="decimal" onType={type}>
      {unit !== undefined && <span class="about">{unit}</span>}
    </TypedField>
  );
}

const UNITS = [
  ['s', 'seconds'],
  ['m', 'minutes'],
  ['h', 'hours'],
  ['d', 'days'],
] as const;

interface DurationProps extends Typing {
  /** `90d`; what is no duration is a text before its unit. */
  readonly value: string | undefined;
  readonly onDuration: (value: string | undefined) => void;
  /** Letter of the unit that is there first. */
  readonly unit?: (typeof UNITS)[number][0];
}

export function DurationField({ value = '', onDuration, unit = 'd', ...typing }: DurationProps) {
  const [, typed = '', letter = ''] = /^(.*?)([smhd]?)$/.exec(value) ?? [];
  const [text, setText] = useState(typed);
  const [size, setSize] = useState<string>(letter === '' ? unit : letter);
  const tell = (nextText: string, nextSize: string): void => {
    setText(nextText);
    setSize(nextSize);
    const count = nextText.trim();
    onDuration(count === '' ? undefined : Number(count) === 0 ? '0' : `${count}${nextSize}`);
  };
  return (
    <TypedField {...typing} text={text} inputMode="numeric" onType={(next) => tell(next, size)}>
      <span class="select">
        <select
          aria-label={`${typing.label}: unit`}
          value={size}
          onChange={({ currentTarget }) => tell(text, currentTarget.value)}
        >
          {UNITS.map(([each, words]) => (
            <option key={each} value={each}>
              {words}
            </option>
          ))}
        </select>
      </span>
    </TypedField>
  );
}
