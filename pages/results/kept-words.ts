/** How long a survey's answers stay, and from which day on they are there (docs/contract.md §11.7). */

import { writeDay } from './figures.ts';

interface Kept {
  readonly keeps: string | null;
  readonly completeFrom: string | null;
}

/** One sentence; empty where answers stay for ever and none are gone. */
export function keptWords({ keeps, completeFrom }: Kept): string {
  const kept = keeps && `Answers are kept for ${keeps.replace('mo', ' months').replace('d', ' days')}`;
  if (completeFrom === null) return kept ? `${kept}.` : '';
  return `${kept ? `${kept}; those` : 'Answers'} before ${writeDay(completeFrom)} are gone, their numbers stay.`;
}
