/** Token ids: 48 bits of time in milliseconds, then 80 random bits; time-ordered as text. */

export const TOKEN_ID_RANDOM_BYTES = 10;
const TIME_BYTES = 6;

/** @returns 32 lower-case hex digits */
export function composeTokenId(now: number, random: Uint8Array): string {
  const bytes = Buffer.alloc(TIME_BYTES + random.length);
  bytes.writeUIntBE(now, 0, TIME_BYTES);
  bytes.set(random, TIME_BYTES);
  return bytes.toString('hex');
}
