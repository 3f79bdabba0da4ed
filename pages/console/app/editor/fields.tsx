import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { toLocal, typedTime } from '../../rules/typed-values.ts';
import { focusOn, idOf, useEditing } from './editing.tsx';

interface Named {
  /** A path such as `thanks.link.url`. */
  readonly path: string;
  readonly label: string;
  readonly help?: ComponentChildren;
  /** Hides the label. */
  readonly isQuiet?: boolean;
}

export function useControl({ path, help }: Named) {
  const { problemAt, touch } = useEditing();
  const problem = problemAt(path);
  const id = idOf(path);
  const about = [help === undefined ? '' : `${id}-help`, problem === undefined ? '' : `${id}-problem`];
  return {
    id,
    'aria-invalid': problem !== undefined,
    ...(about.join('') !== '' && { 'aria-describedby': about.filter(Boolean).join(' ') }),
    onBlur: () => touch(path),
  } as const;
}

function Help({ path, help }: Pick<Named, 'path' | 'help'>) {
  return help === undefined ? null : (
    <p class="about" id={`${idOf(path)}-help`}>
      {help}
    </p>
  );
}

interface FieldProps extends Named {
  readonly children: ComponentChildren;
}

function Field({ path, label, help, children, isQuiet = false }: FieldProps) {
  const id = idOf(path);
  const problem = useEditing().problemAt(path);
  return (
    <div class="field">
      <label for={id} {...(isQuiet && { class: 'unseen' })}>
        {label}
      </label>
      <Help path={path} help={help} />
      {children}
      {problem !== undefined && (
        <p class="wrong" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}

interface TextProps extends Named {
  readonly value: string | undefined;
  /** Undefined for an empty text. */
  readonly onText: (text: string | undefined) => void;
  readonly placeholder?: string;
  readonly language?: string;
  readonly isLong?: boolean;
  readonly isRequired?: boolean;
  readonly inputMode?: 'url' | 'decimal' | 'numeric';
  readonly unit?: ComponentChildren;
}

export function TextField(props: TextProps) {
  const { value = '', onText, placeholder, language, isLong = false, isRequired = false } = props;
  const { inputMode, unit } = props;
  const control = {
    ...useControl(props),
    value,
    dir: 'auto',
    ...(placeholder !== undefined && { placeholder }),
    ...(language !== undefined && { lang: language }),
    ...(inputMode !== undefined && { inputMode }),
    ...(isRequired && { 'aria-required': true }),
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      onText(currentTarget.value === '' ? undefined : currentTarget.value),
  } as const;
  const box = isLong ? (
    <textarea rows={2} {...control} />
  ) : (
    <input type="text" autocomplete="off" {...control} />
  );
  return (
    <Field {...props}>
      {unit === undefined ? (
        box
      ) : (
        <span class="measured">
          {box}
          {unit}
        </span>
      )}
    </Field>
  );
}

interface TypingProps extends Named {
  readonly placeholder?: string;
}

interface NumberProps extends TypingProps {
  readonly value: number | undefined;
  readonly onNumber: (value: number | undefined) => void;
  readonly unit?: string;
}

/** Reports text that is not a number as NaN, which the rules refuse. */
export function NumberField({ value, onNumber, unit = '', ...named }: NumberProps) {
  const [text, setText] = useState(value === undefined ? '' : String(value));
  const type = (typed = ''): void => {
    setText(typed);
    onNumber(typed.trim() === '' ? undefined : Number(typed.trim().replace(',', '.')));
  };
  return (
    <TextField
      {...named}
      value={text}
      inputMode="decimal"
      onText={type}
      unit={<span class="about">{unit}</span>}
    />
  );
}

type SelectAttribute = 'id' | 'disabled' | 'onBlur' | `aria-${'label' | 'describedby' | 'invalid'}`;

interface SelectProps<Value extends string> extends Pick<JSX.IntrinsicElements['select'], SelectAttribute> {
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, name: string])[];
  readonly onChoose: (value: Value) => void;
}

export function Select<Value extends string>({ options, onChoose, ...select }: SelectProps<Value>) {
  return (
    <span class="select">
      <select
        {...select}
        onChange={({ currentTarget }) => {
          const chosen = options.find(([value]) => value === currentTarget.value);
          if (chosen !== undefined) onChoose(chosen[0]);
        }}
      >
        {options.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </span>
  );
}

export function SelectField<Value extends string>(props: Named & SelectProps<Value>) {
  const { path, label, help, ...select } = props;
  return (
    <Field {...{ path, label, help }}>
      <Select {...useControl(props)} {...select} />
    </Field>
  );
}

const UNITS = [
  ['s', 'seconds'],
  ['m', 'minutes'],
  ['h', 'hours'],
  ['d', 'days'],
] as const;

interface DurationProps extends TypingProps {
  /** A duration such as `90d`. */
  readonly value: string | undefined;
  readonly onDuration: (value: string | undefined) => void;
  /** The unit of an empty field. */
  readonly unit?: (typeof UNITS)[number][0];
}

export function DurationField({ value = '', onDuration, unit = 'd', ...named }: DurationProps) {
  const [, typed = '', letter = ''] = /^(.*?)([smhd]?)$/.exec(value) ?? [];
  const [text, setText] = useState(typed);
  const [size, setSize] = useState(() => UNITS.find(([each]) => each === letter)?.[0] ?? unit);
  const set = (nextText: string, nextSize: typeof size): void => {
    setText(nextText);
    setSize(nextSize);
    const count = nextText.trim();
    onDuration(count === '' ? undefined : Number(count) === 0 ? '0' : `${count}${nextSize}`);
  };
  return (
    <TextField
      {...named}
      value={text}
      inputMode="numeric"
      onText={(next = '') => set(next, size)}
      unit={
        <Select
          aria-label={`${named.label}: unit`}
          value={size}
          options={UNITS}
          onChoose={(next) => set(text, next)}
        />
      }
    />
  );
}

interface TimeProps extends Named {
  /** ISO 8601. */
  readonly value: string | undefined;
  readonly onTime: (value: string | undefined) => void;
}

export function TimeField({ value, onTime, ...named }: TimeProps) {
  const stored = value === undefined ? '' : toLocal(value);
  const [text, setText] = useState(stored);
  const { onBlur: touch, ...control } = useControl(named);
  const set = (typed: string): void => {
    setText(typed);
    const time = typedTime(typed);
    if (time !== 'unfinished') onTime(time);
  };
  const leave = (): void => {
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

interface ChoiceProps<Value extends string> extends Named {
  readonly value: Value | undefined;
  readonly options: readonly { readonly value: Value; readonly name: string; readonly about?: string }[];
  readonly onChoose: (value: Value) => void;
}

export function ChoiceField<Value extends string>(props: ChoiceProps<Value>) {
  const { path, label, help, value, options, onChoose } = props;
  const id = idOf(path);
  return (
    <fieldset class="field options" {...(help !== undefined && { 'aria-describedby': `${id}-help` })}>
      <legend>{label}</legend>
      <Help path={path} help={help} />
      <div>
        {options.map(({ value: each, name, about }) => (
          <label key={each} class="option">
            <input
              type="radio"
              name={id}
              {...(each === value && { id })}
              value={each}
              checked={each === value}
              onChange={() => onChoose(each)}
            />
            <span>
              <span>{name}</span>
              {about !== undefined && (
                <span class="about">
                  <bdi>{about}</bdi>
                </span>
              )}
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
  /** Tells checkboxes with the same label apart, for screen readers. */
  readonly of?: string;
  readonly isChecked: boolean;
  readonly onCheck: (isChecked: boolean) => void;
}

export function CheckField({ path, label, about, of, isChecked, onCheck }: CheckProps) {
  return (
    <label class="option plain">
      <input
        id={idOf(path)}
        type="checkbox"
        {...(of !== undefined && { 'aria-label': `${label}, ${of}` })}
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

interface ListProps<Row> {
  readonly label: string;
  readonly about: string;
  /** The name of an item, such as `condition`. */
  readonly item: string;
  /** Tells lists of the same items apart, such as `question 1`. */
  readonly of?: string;
  readonly rows: readonly Row[];
  readonly draw: (row: Row, at: number) => ComponentChildren;
  readonly least?: number;
  readonly most?: number;
  readonly nameOf?: (at: number) => string | undefined;
  /** Returns the path of the field that receives the focus. */
  readonly onAdd: () => string;
  readonly onRemove: (at: number) => void;
  /** Returns the path of the field that receives the focus. */
  readonly onMoveUp?: (at: number) => string;
}

export function ListField<Row>(props: ListProps<Row>) {
  const { label, about, item, of, rows, draw, nameOf, onAdd, onRemove, onMoveUp } = props;
  const { least = 0, most = Number.POSITIVE_INFINITY } = props;
  const within = of === undefined ? '' : ` of ${of}`;
  const name = `${item}${within}`.replaceAll(' ', '-');
  const addId = `add-${name}`;
  return (
    <fieldset class={`field list of-${name}`}>
      <legend>{label}</legend>
      <p class="about">{about}</p>
      <ol>
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other identity while it is typed
          <li key={`${at}/${rows.length}`}>
            {draw(row, at)}
            {onMoveUp !== undefined && at > 0 && (
              <button
                type="button"
                class="quiet"
                aria-label={`Move ${item} ${at + 1}${within} up`}
                onClick={() => focusOn(idOf(onMoveUp(at)))}
              >
                ↑
              </button>
            )}
            {rows.length > least && (
              <button
                type="button"
                class="quiet"
                aria-label={`Remove ${item} ${nameOf?.(at) ?? at + 1}${within}`}
                onClick={() => {
                  onRemove(at);
                  focusOn(addId);
                }}
              >
                Remove
              </button>
            )}
          </li>
        ))}
      </ol>
      {rows.length < most && (
        <button
          type="button"
          id={addId}
          {...(within !== '' && { 'aria-label': `Add a ${item}${within}` })}
          onClick={() => focusOn(idOf(onAdd()))}
        >
          Add a {item}
        </button>
      )}
    </fieldset>
  );
}
