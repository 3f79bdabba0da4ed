import { closest, distance } from 'fastest-levenshtein';

export function didYouMean(written: string, candidates: Iterable<string>): string {
  const byLowerCase = new Map([...candidates].map((candidate) => [candidate.toLowerCase(), candidate]));
  if (byLowerCase.size === 0) return '';
  const near = closest(written.toLowerCase(), [...byLowerCase.keys()]);
  const isNear = distance(written.toLowerCase(), near) <= Math.ceil(near.length / 3);
  // A known field can stand where it does not belong.
  const meant = isNear ? byLowerCase.get(near) : written;
  return meant === written ? '' : ` Did you mean ${meant}?`;
}
