import type { Strings } from './widget-options.ts';
import type { Survey } from './wire.ts';

export interface ValueName {
  readonly value: number;
  /** What the value means, where there is a word for it. */
  readonly meaning: string | undefined;
  /** What assistive technology says; it begins with what is seen. */
  readonly name: string;
}

/**
 * The scale's values, lowest first. A survey's end labels take the place of the ends' words; the words between, unless the
 * survey brings them too, are left out then, for they may not fit.
 */
export function valueNames(
  survey: Pick<Survey, 'type' | 'scale' | 'endLabels' | 'words'>,
  strings: Strings,
): ValueName[] {
  const { type, scale, endLabels } = survey;
  const { min, max } = scale;
  const own = survey.words?.values;
  const words = own ?? strings[type] ?? [];
  const { low = words[0], high = words.at(-1) } = endLabels ?? {};
  const between = words.length > max - min && (!endLabels || own || type === 'pmf') ? words : [];
  return Array.from({ length: max - min + 1 }, (_, at) => {
    const value = min + at;
    const end = value === max ? high : between[at];
    const meaning = at ? end : low;
    return { value, meaning, name: meaning ? `${value}, ${meaning}` : `${value}` };
  });
}
