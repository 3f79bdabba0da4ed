/** Ids are opaque and never reused. Callers supply the randomness. */

export const PROJECT_ID_RANDOM_BYTES = 10;
export const SURVEY_ID_RANDOM_BYTES = 8;

const KEY_ID_CHARACTERS = 12;

const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** 20 lower-case hex digits. Keys contain them as plain text. */
export function composeProjectId(random: Uint8Array): string {
  return toHex(random);
}

/** `sv_` and 16 lower-case hex digits. */
export function composeSurveyId(random: Uint8Array): string {
  return `sv_${toHex(random)}`;
}

/** The id that operators use for a key. @param hash SHA-256 of the key, lower-case hex */
export function deriveKeyId(hash: string): string {
  return hash.slice(0, KEY_ID_CHARACTERS);
}
