import type { ScaleStrings } from './strings.ts';

export interface ScaledSurvey {
  readonly type: keyof ScaleStrings;
  readonly scale: { readonly min: number; readonly max: number };
  readonly endLabels?: { readonly low?: string | undefined; readonly high?: string | undefined } | undefined;
  readonly words?: { readonly values?: readonly string[] | undefined } | undefined;
}

export interface ValueName {
  readonly value: number;
  readonly meaning: string | undefined;
  /** The name for assistive technology, which starts with the visible text. */
  readonly name: string;
}

/**
 * Lowest value first. If a survey sets its own end labels, the default labels between them are omitted, because they
 * may not fit.
 */
export function valueNames(survey: ScaledSurvey, strings: ScaleStrings): ValueName[] {
  const { type, scale, endLabels } = survey;
  const { min, max } = scale;
  const own = survey.words?.values;
  const words = own ?? strings[type] ?? [];
  const { low = words[0], high = words.at(-1) } = endLabels ?? {};
  const fits = words.length > max - min && (!endLabels || own || type === 'pmf');
  const meanings: (string | undefined)[] = fits ? words.slice(0, max - min) : [];
  meanings[max - min] = high;
  meanings[0] = low;
  return Array.from(meanings, (meaning, at) => {
    const value = min + at;
    return { value, meaning, name: meaning ? `${value}, ${meaning}` : `${value}` };
  });
}
