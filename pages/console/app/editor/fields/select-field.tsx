import { Field, type Named, useControl } from './field.tsx';

interface SelectProps<Value extends string> extends Named {
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly name: string }[];
  readonly onChoose: (value: Value) => void;
}

export function SelectField<Value extends string>({
  value,
  options,
  onChoose,
  ...named
}: SelectProps<Value>) {
  const choose = (chosen: string): void => {
    const option = options.find((each) => each.value === chosen);
    if (option !== undefined) onChoose(option.value);
  };
  return (
    <Field {...named}>
      <span class="select">
        <select
          {...useControl(named.path, named.help !== undefined)}
          value={value}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.name}
            </option>
          ))}
        </select>
      </span>
    </Field>
  );
}
