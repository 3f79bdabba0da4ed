/** How long a survey's answers stay, and from which day on they are there (docs/contract.md §11.7). */

import { writeDay } from './figures.ts';

/** While a release is deployed, the service of before may answer: it does not say them. */
interface Kept {
  readonly keeps?: string | null | undefined;
  readonly completeFrom?: string | null | undefined;
}

/** One sentence; empty where answers stay for ever and none are gone. */
export function keptWords({ keeps, completeFrom }: Kept): string {
  const kept = keeps && `Responses are kept for ${keeps.replace('mo', ' months').replace('d', ' days')}`;
  if (!completeFrom) return kept ? `${kept}.` : '';
  return `${kept ? `${kept}. Those` : 'Responses'} before ${writeDay(completeFrom)} were deleted, but the numbers include them.`;
}
