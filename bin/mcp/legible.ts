/** What a person reads of a text: without what hides words from people and shows them to a model. */

/**
 * Controls but the end of a line and the tab, formats, tags, halves of characters, private use and all that Unicode has
 * drawn as nothing (Unicode Standard Annex 44, Default_Ignorable_Code_Point); and the blank of Braille.
 */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Ends of lines that are drawn as such. */
const LINE_ENDS = /\r\n?|[\u0085\u2028\u2029]/g;

/** The same value with only what is seen in its texts, and in the names of its fields. */
export function legible(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(LINE_ENDS, '\n').replace(UNSEEN, '');
  if (Array.isArray(value)) return value.map(legible);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [String(legible(name)), legible(field)]),
  );
}
