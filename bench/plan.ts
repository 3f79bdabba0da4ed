/** How much of everything a run measures. */
export interface Plan {
  /** Rounds of what is compared warm, and requests of each in a round. */
  readonly warmRounds: number;
  readonly warmRequests: number;
  readonly coldRounds: number;
  /** Requests of one kind where nothing is compared. */
  readonly requests: number;
  /** Sizes that something grows to: answers of a respondent, surveys of a project (at most 500), answers of a project. */
  readonly histories: readonly number[];
  readonly surveys: readonly number[];
  readonly projects: readonly number[];
  /** Answers that are stored when the cost of one more is measured. */
  readonly answers: readonly number[];
  /** Answers of a project that have ended when they are swept. */
  readonly expired: readonly number[];
}

export const FULL: Plan = {
  warmRounds: 25,
  warmRequests: 200,
  coldRounds: 15,
  requests: 15,
  histories: [1, 10, 100, 1_000],
  surveys: [1, 10, 100, 500],
  projects: [1_000, 10_000, 100_000],
  answers: [500, 5_000, 50_000],
  expired: [250, 500, 1_000],
};

/** A minute. */
export const QUICK: Plan = {
  ...FULL,
  warmRounds: 5,
  warmRequests: 60,
  coldRounds: 3,
  requests: 5,
  projects: [1_000, 5_000],
  answers: [500, 5_000],
  expired: [250, 500],
};
