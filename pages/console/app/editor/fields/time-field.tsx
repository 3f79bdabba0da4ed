import { Field, type Named, useControl } from './field.tsx';

interface TimeProps extends Named {
  /** ISO 8601. */
  readonly value: string | undefined;
  readonly onTime: (value: string | undefined) => void;
}

/** As the control has it: a local time without a zone. */
function toLocal(text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) return '';
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** A day and a time in the zone of whoever looks. */
export function TimeField({ value, onTime, ...named }: TimeProps) {
  const set = (typed: string): void => {
    const time = new Date(typed);
    onTime(Number.isNaN(time.getTime()) ? undefined : time.toISOString());
  };
  return (
    <Field {...named}>
      <input
        type="datetime-local"
        {...useControl(named.path, named.help !== undefined)}
        value={value === undefined ? '' : toLocal(value)}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    </Field>
  );
}
