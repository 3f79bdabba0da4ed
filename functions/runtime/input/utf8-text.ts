/** Bytes as text. */

import { isUtf8 } from 'node:buffer';

/** How many bytes a character takes that begins with this one. */
function lengthOf(byte: number): number {
  if (byte < 0xc0) return 1;
  if (byte < 0xe0) return 2;
  return byte < 0xf0 ? 3 : 4;
}

/**
 * What no UTF-8 stands for: a low surrogate, twice. An escape of a high one (`\ud83d` in JSON) before it would make a
 * character with the first; the second is lone in any case. Fields that identify or attest refuse it, free text replaces it.
 */
export const loneSurrogate = (byte: number): string => String.fromCharCode(0xdc00 + byte).repeat(2);

/**
 * UTF-8 as text. A byte that is none becomes a lone surrogate rather than the replacement character, which would make
 * different bytes the same.
 */
export function utf8Text(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  let text = '';
  for (let index = 0; index < bytes.length; ) {
    const byte = bytes[index] ?? 0;
    const character = bytes.subarray(index, index + lengthOf(byte));
    const isCharacter = isUtf8(character);
    text += isCharacter ? character.toString('utf8') : loneSurrogate(byte);
    index += isCharacter ? character.length : 1;
  }
  return text;
}
