/** What of a person's traits is kept (docs/contract.md §9.1). */

import type { Traits, TraitValue } from './answer.ts';

export const MOST_TRAITS = 50;
/** Bytes of all traits as JSON in UTF-8. */
export const MOST_TRAIT_BYTES = 4_096;

const BRACES_BYTES = '{}'.length;
const COLON_AND_COMMA_BYTES = ':,'.length;

const isFlat = (value: unknown): value is TraitValue =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

/** A nested object or array as its JSON text. Too deeply nested to be written, it would not fit anyway. */
function textOf(value: unknown): string | undefined {
  if (typeof value !== 'object') return undefined;
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

const bytesOf = (name: string, value: TraitValue): number =>
  Buffer.byteLength(JSON.stringify(name)) + Buffer.byteLength(JSON.stringify(value)) + COLON_AND_COMMA_BYTES;

/**
 * The traits that fit, in the order in which they were sent: flat ones first come first kept, then nested ones as JSON
 * text in the room that is left.
 */
export function fitTraits(sent: Readonly<Record<string, unknown>>): Traits {
  const entries = Object.entries(sent);
  const kept = new Map<string, TraitValue>();
  // The last one has no comma behind it.
  let room = MOST_TRAIT_BYTES - BRACES_BYTES + 1;
  function keep(name: string, value: TraitValue | undefined): void {
    if (value === undefined || kept.size === MOST_TRAITS) return;
    const bytes = bytesOf(name, value);
    if (bytes > room) return;
    room -= bytes;
    kept.set(name, value);
  }
  for (const [name, value] of entries) if (isFlat(value)) keep(name, value);
  for (const [name, value] of entries) if (!isFlat(value)) keep(name, textOf(value));
  return Object.fromEntries(
    entries.flatMap(([name]) => {
      const value = kept.get(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
