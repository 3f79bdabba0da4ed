/** One of several, all of them to be seen with what they mean. */

import { idOf } from '../editing.tsx';

interface Option<Value extends string> {
  readonly value: Value;
  readonly name: string;
  readonly about?: string;
}

interface ChoiceProps<Value extends string> {
  readonly path: string;
  readonly label: string;
  readonly help?: string;
  readonly value: Value;
  readonly options: readonly Option<Value>[];
  readonly onChoose: (value: Value) => void;
}

export function ChoiceField<Value extends string>(props: ChoiceProps<Value>) {
  const { path, label, help, value, options, onChoose } = props;
  const id = idOf(path);
  return (
    <fieldset class="field options" {...(help !== undefined && { 'aria-describedby': `${id}-help` })}>
      <legend>{label}</legend>
      {help !== undefined && (
        <p class="about" id={`${id}-help`}>
          {help}
        </p>
      )}
      <div>
        {options.map(({ value: each, name, about }) => (
          <label key={each} class="option">
            <input
              type="radio"
              name={id}
              value={each}
              checked={each === value}
              onChange={() => onChoose(each)}
            />
            <span>
              <span>{name}</span>
              {about !== undefined && <span class="about">{about}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface CheckProps {
  readonly path: string;
  readonly label: string;
  readonly about?: string;
  readonly isChecked: boolean;
  readonly onCheck: (isChecked: boolean) => void;
}

export function CheckField({ path, label, about, isChecked, onCheck }: CheckProps) {
  return (
    <label class="option plain">
      <input
        id={idOf(path)}
        type="checkbox"
        checked={isChecked}
        onChange={({ currentTarget }) => onCheck(currentTarget.checked)}
      />
      <span>
        <span>{label}</span>
        {about !== undefined && <span class="about">{about}</span>}
      </span>
    </label>
  );
}
