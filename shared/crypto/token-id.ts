/** Token ids: 48 bits of time in milliseconds, then 80 random bits; time-ordered as text. */

export const TOKEN_ID_RANDOM_BYTES = 10;

/** @returns 32 lower-case hex digits */
export function composeTokenId(now: number, random: Uint8Array): string {
  return now.toString(16).padStart(12, '0') + Buffer.from(random).toString('hex');
}
