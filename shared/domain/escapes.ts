/** Control characters, including bidirectional ones, except line ends and tabs. */
const ACTED_ON = /(?!\r?\n|\t)[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

const NOT_ESCAPED_BY_JSON = /[\u007f-\u009f\p{Bidi_Control}]/gu;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

const OVERRIDES = /(?!\r?\n|\t)[\p{Cc}\u202d\u202e]/u;

/** Whether a text has no control characters and no direction overrides. Arabic and Hebrew use embeddings and isolates. */
export const isPlain = (text: string): boolean => !OVERRIDES.test(text);

export const visible = (text: string): string => text.replace(ACTED_ON, escaped);

/** The text parses to the same value. */
export const visibleJson = (value: unknown): string =>
  JSON.stringify(value).replace(NOT_ESCAPED_BY_JSON, escaped);
