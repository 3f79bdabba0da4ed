/** What people wrote, where a terminal would act on it instead of showing it. */

/** Controls but the end of a line and the tab, with those that turn the direction of what follows them. */
const ACTED_ON = /(?!\r?\n|\t)[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** What JSON leaves as it is. */
const NOT_ESCAPED_BY_JSON = /[\u007f-\u009f\p{Bidi_Control}]/gu;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Text in which everything is seen and nothing is obeyed. */
export const visible = (text: string): string => text.replace(ACTED_ON, escaped);

/** The same value in every parser, and safe on a terminal. */
export const visibleJson = (value: unknown): string =>
  JSON.stringify(value).replace(NOT_ESCAPED_BY_JSON, escaped);
