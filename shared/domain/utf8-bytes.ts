const encoder = new TextEncoder();

/** Bytes of a text as UTF-8, in browsers too. */
export const utf8Bytes = (text: string): number => encoder.encode(text).length;
