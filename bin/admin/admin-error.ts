/** The message has one line for each problem. */
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

/** Causes exit status 2. */
export const misuse = (...problems: readonly string[]): AdminError => new AdminError(2, problems);

/** Causes exit status 1. */
export const failure = (problem: string): AdminError => new AdminError(1, [problem]);
