const encoder = new TextEncoder();

/** Browsers have no `Buffer`. */
export const utf8Bytes = (text: string): number => encoder.encode(text).length;
