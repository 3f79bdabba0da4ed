import { useState } from 'preact/hooks';
import { toLocal, typedTime } from '../../../rules/typed-time.ts';
import { Field, type Named, useControl } from './field.tsx';

interface TimeProps extends Named {
  /** ISO 8601. */
  readonly value: string | undefined;
  readonly onTime: (value: string | undefined) => void;
}

/** A day and a time in the reader's zone. */
export function TimeField({ value, onTime, ...named }: TimeProps) {
  const stored = value === undefined ? '' : toLocal(value);
  const [text, setText] = useState(stored);
  const { onBlur: touch, ...control } = useControl(named.path, named.help !== undefined);
  const set = (typed: string): void => {
    setText(typed);
    const time = typedTime(typed);
    if (time !== 'unfinished') onTime(time);
  };
  const leave = (): void => {
    // What was left unfinished goes: the field shows what holds.
    if (typedTime(text) === 'unfinished') setText(stored);
    touch();
  };
  return (
    <Field {...named}>
      <input
        type="datetime-local"
        {...control}
        value={text}
        onInput={({ currentTarget }) => set(currentTarget.value)}
        onBlur={leave}
      />
    </Field>
  );
}
