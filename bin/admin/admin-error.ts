import { closest, distance } from 'fastest-levenshtein';

/** What a command could not do, for the operator: one line for each problem. */
export class AdminError extends Error {
  override readonly name = 'AdminError';
  readonly exitStatus: 1 | 2;
  readonly problems: readonly string[];

  constructor(exitStatus: 1 | 2, problems: readonly string[]) {
    super(problems.join('\n'));
    this.exitStatus = exitStatus;
    this.problems = problems;
  }
}

/** A wrong flag or file: exit status 2. */
export const misuse = (...problems: readonly string[]): AdminError => new AdminError(2, problems);

/** The request was right and could not be carried out: exit status 1. */
export const failure = (problem: string): AdminError => new AdminError(1, [problem]);

/** ` Did you mean …?`, or nothing when no candidate is near what was written. */
export function didYouMean(written: string, candidates: Iterable<string>): string {
  const byLowerCase = new Map([...candidates].map((candidate) => [candidate.toLowerCase(), candidate]));
  if (byLowerCase.size === 0) return '';
  const near = closest(written.toLowerCase(), [...byLowerCase.keys()]);
  const isNear = distance(written.toLowerCase(), near) <= Math.ceil(near.length / 3);
  return isNear ? ` Did you mean ${byLowerCase.get(near)}?` : '';
}
