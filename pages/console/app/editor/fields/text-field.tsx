import { Field, type Named, useControl } from './field.tsx';

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
