import type { Strings } from './widget-options.ts';
import type { Survey } from './wire.ts';

export interface ValueName {
  readonly value: number;
  /** What the value means, where there is a word for it. */
  readonly meaning: string | undefined;
  /** What assistive technology says; it begins with what is seen. */
  readonly name: string;
}

/** The scale's values, lowest first. A survey's own end labels take the place of our words. */
export function valueNames({ type, scale: { min, max }, endLabels }: Survey, strings: Strings): ValueName[] {
  const words = strings[type];
  const low = endLabels?.low ?? words[0];
  const high = endLabels?.high ?? words.at(-1);
  const each = words.length > max - min && (!endLabels || type === 'pmf');
  return Array.from({ length: max - min + 1 }, (_, at) => {
    const value = min + at;
    const meaning = value === min ? low : value === max ? high : each ? words[at] : undefined;
    return { value, meaning, name: `${value}, ${meaning ?? `${min} ${low}, ${max} ${high}`}` };
  });
}
