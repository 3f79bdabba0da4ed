import { useState } from 'preact/hooks';
import { Field, type Named, useControl } from './field.tsx';

const UNITS = [
  ['s', 'seconds'],
  ['m', 'minutes'],
  ['h', 'hours'],
  ['d', 'days'],
] as const;

interface DurationProps extends Named {
  /** `90d` */
  readonly value: string | undefined;
  readonly onDuration: (value: string | undefined) => void;
  readonly placeholder?: string;
  /** Letter of the unit that is there first. */
  readonly unit?: (typeof UNITS)[number][0];
  readonly isQuiet?: boolean;
}

/** A number and its unit. */
export function DurationField({ value, onDuration, placeholder, unit = 'd', ...named }: DurationProps) {
  const [, digits = '', letter = unit] = /^(\d+)([smhd]?)$/.exec(value ?? '') ?? [];
  const [count, setCount] = useState(digits);
  const [size, setSize] = useState<string>(letter === '' ? unit : letter);
  const tell = (nextCount: string, nextSize: string): void => {
    setCount(nextCount);
    setSize(nextSize);
    const typed = nextCount.trim();
    onDuration(typed === '' ? undefined : Number(typed) === 0 ? '0' : `${typed}${nextSize}`);
  };
  return (
    <Field {...named}>
      <span class="measured">
        <input
          type="text"
          inputMode="numeric"
          autocomplete="off"
          {...useControl(named.path, named.help !== undefined)}
          value={count}
          {...(placeholder !== undefined && { placeholder })}
          onInput={({ currentTarget }) => tell(currentTarget.value, size)}
        />
        <span class="select">
          <select
            aria-label={`${named.label}: unit`}
            value={size}
            onChange={({ currentTarget }) => tell(count, currentTarget.value)}
          >
            {UNITS.map(([each, words]) => (
              <option key={each} value={each}>
                {words}
              </option>
            ))}
          </select>
        </span>
      </span>
    </Field>
  );
}
