import type { Scalar, Traits } from './wire.ts';

/** What the service takes with an answer: keys, and bytes as JSON (docs/contract.md §9.1). */
const MOST_KEYS = 50;
const MOST_BYTES = 4_096;

/**
 * The traits that fit, in their order, lists and objects as JSON text, as the service keeps them: an answer must fit a
 * beacon, whatever the page knows of the person.
 */
export function fitting(traits: Traits): Traits {
  const kept: Record<string, Scalar> = {};
  for (const [name, value] of Object.entries(traits).slice(0, MOST_KEYS)) {
    try {
      const json = JSON.stringify(value);
      kept[name] = /^[[{]/.test(json) ? json : JSON.parse(json);
    } catch {
      // No JSON: a function, a circle.
    }
    if (new Blob([JSON.stringify(kept)]).size > MOST_BYTES) delete kept[name];
  }
  return kept;
}
