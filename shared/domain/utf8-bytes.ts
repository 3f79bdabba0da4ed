const encoder = new TextEncoder();

/** Works in browsers, which have no `Buffer`. */
export const utf8Bytes = (text: string): number => encoder.encode(text).length;
