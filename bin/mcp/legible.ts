/** Removes characters that people cannot see and that could carry instructions to a model. */

/**
 * Controls except line feed and tab, format characters, lone surrogates, private use, everything that Unicode draws as
 * nothing (UAX 44, Default_Ignorable_Code_Point), and the blank of Braille.
 */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u2800]/gu;

const LINE_ENDS = /\r\n?|[\u0085\u2028\u2029]/g;

export function legible(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(LINE_ENDS, '\n').replace(UNSEEN, '');
  if (Array.isArray(value)) return value.map(legible);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [String(legible(name)), legible(field)]),
  );
}
