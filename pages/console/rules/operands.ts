/** What a trait is compared with, as somebody types it: `10` is a number, `pro` a text, `"10"` a text as well. */

import type { TargetingRule } from '../../../shared/domain/surveys/survey.ts';

type Operand = NonNullable<TargetingRule['value']>;
type Scalar = string | number | boolean | null;

/** Texts that would be read as something else, so they stand in quotes. */
const isAmbiguous = (text: string): boolean => readScalar(text) !== text || /^".*"$|[,]/.test(text);

function readScalar(typed: string): Scalar {
  const text = typed.trim();
  const quoted = /^"(.*)"$/s.exec(text)?.[1];
  if (quoted !== undefined) return quoted;
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
}

/** Commas within quotes are the text's own. */
const partsOf = (typed: string): string[] =>
  (typed.match(/("[^"]*"|[^,])+/g) ?? []).map((part) => part.trim()).filter((part) => part !== '');

/** Undefined where nothing is typed. */
export function readOperand(op: TargetingRule['op'], typed: string): Operand | undefined {
  if (typed.trim() === '') return undefined;
  return op === 'in' ? partsOf(typed).map(readScalar) : (readScalar(typed) ?? undefined);
}

/** Texts alone, of a list with commas. */
export const readList = (typed: string): string[] =>
  partsOf(typed).map((part) => /^"(.*)"$/s.exec(part)?.[1] ?? part);

export const writeList = (texts: readonly string[]): string =>
  texts.map((text) => (/^".*"$|,/s.test(text) ? `"${text}"` : text)).join(', ');

const writeScalar = (value: Scalar): string =>
  typeof value === 'string' && isAmbiguous(value) ? `"${value}"` : String(value);

export const writeOperand = (value: TargetingRule['value']): string =>
  value === undefined ? '' : [value].flat().map(writeScalar).join(', ');
