import type { Scalar, Traits } from './wire.ts';

/** What the service takes with an answer: keys, and bytes as JSON (docs/contract.md §9.1). */
const MOST_KEYS = 50;
const MOST_BYTES = 4_096;

/**
 * The traits that fit, as the service keeps them: flat ones in their order, then lists and objects as JSON text in the room
 * that is left. An answer must fit a beacon, whatever the page knows of the person.
 */
export function fitting(traits: Traits): Traits {
  const kept: Record<string, Scalar> = {};
  for (const nested of [false, true]) {
    for (const name of Object.keys(traits)) {
      try {
        const json = JSON.stringify(traits[name]);
        if (/^[[{]/.test(json) === nested) kept[name] = nested ? json : JSON.parse(json);
        const tooMany = Object.keys(kept).length > MOST_KEYS;
        if (tooMany || new Blob([JSON.stringify(kept)]).size > MOST_BYTES) delete kept[name];
      } catch {
        // No JSON: a function, a circle, a getter that throws.
      }
    }
  }
  return kept;
}
