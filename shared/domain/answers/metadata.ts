/** Traits (docs/contract.md §9.1), and labels and channel, which only servers send (§9.7). */

import type { Labels, Traits, TraitValue } from './answer.ts';

export const MOST_TRAITS = 50;
/** The limit counts UTF-8 bytes of JSON. */
export const MOST_TRAIT_BYTES = 4_096;

const BRACES_BYTES = '{}'.length;
const COLON_AND_COMMA_BYTES = ':,'.length;

const isFlat = (value: unknown): value is TraitValue =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

/** Returns JSON text. A value that is too deeply nested to serialize would not fit anyway. */
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

/** Returns flat traits in the order sent, followed by nested ones as JSON text. */
export function fitTraits(sent: Readonly<Record<string, unknown>>): Traits {
  const entries = Object.entries(sent);
  const kept = new Map<string, TraitValue>();
  // The last entry has no comma.
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

export const MOST_LABELS = 4;
export const LABEL_NAME = /^[a-z][a-z0-9-]{0,31}$/;
/** The limit counts UTF-8 bytes. */
export const MOST_LABEL_BYTES = 64;
export const CHANNEL = /^[a-z][a-z0-9-]{0,31}$/;

const isValue = (value: unknown): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  value.isWellFormed() &&
  Buffer.byteLength(value) <= MOST_LABEL_BYTES;

export function fitLabels(sent: Readonly<Record<string, unknown>>): Labels {
  const fitting = Object.entries(sent).filter(
    (entry): entry is [string, string] => LABEL_NAME.test(entry[0]) && isValue(entry[1]),
  );
  return Object.fromEntries(fitting.slice(0, MOST_LABELS));
}
