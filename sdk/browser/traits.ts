import type { Traits } from './wire.ts';

/** Bytes as JSON that the service takes with an answer (contract, decisions §6). */
const LIMIT = 4_096;

/** The traits, or none when they are too large: an answer must not be refused for what the page knows of the person. */
export function fitting(traits: Traits): Traits | undefined {
  return new Blob([JSON.stringify(traits)]).size > LIMIT ? undefined : traits;
}
