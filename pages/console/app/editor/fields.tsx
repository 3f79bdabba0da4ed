/** A control with its label above, its help below that, and what is wrong with it. */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { toLocal, typedTime } from '../../rules/typed-values.ts';
import { idOf, useEditing } from './editing.tsx';

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

interface TextProps extends Named {
  readonly value: string | undefined;
  /** Told of an empty text as of none. */
  readonly onText: (text: string | undefined) => void;
  readonly placeholder?: string;
  readonly isQuiet?: boolean;
  /** Of its text, where it is known. */
  readonly language?: string;
  /** Several lines. */
  readonly isLong?: boolean;
  readonly isRequired?: boolean;
  readonly inputMode?: 'url' | 'decimal' | 'text';
}

export function TextField(props: TextProps) {
  const { value = '', onText, placeholder, language, isLong = false, isRequired = false, inputMode } = props;
  const control = {
    ...useControl(props.path, props.help !== undefined),
    value,
    dir: 'auto',
    ...(placeholder !== undefined && { placeholder }),
    ...(language !== undefined && { lang: language }),
    ...(inputMode !== undefined && { inputMode }),
    ...(isRequired && { 'aria-required': true }),
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      onText(currentTarget.value === '' ? undefined : currentTarget.value),
  } as const;
  return (
    <Field {...props}>
      {isLong ? <textarea rows={2} {...control} /> : <input type="text" autocomplete="off" {...control} />}
    </Field>
  );
}

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
