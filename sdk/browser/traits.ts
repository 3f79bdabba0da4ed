import type { Traits } from './wire.ts';

/** What the service takes with an answer, bytes as JSON and keys (docs/contract.md §9.1). */
const BYTES = 4_096;
const KEYS = 50;

/**
 * The traits that are flat, or none when these are too large or too many: an answer must not be refused, nor a fault
 * thrown, for what the page knows of the person.
 */
export function fitting(traits: Traits): Traits | undefined {
  // Of the kinds there are, only `string`, `number` and `boolean` have an r or oo; what is absent is no fault.
  const flat = Object.entries(traits).filter(([, value]) => /r|oo/.test(typeof (value ?? true)));
  const known = Object.fromEntries(flat);
  return flat.length > KEYS || new Blob([JSON.stringify(known)]).size > BYTES ? undefined : known;
}
