/** How much of everything a run measures. */
export interface Plan {
  /** Rounds of the warm contestants, and requests of each in a round. */
  readonly warmRounds: number;
  readonly warmRequests: number;
  readonly coldRounds: number;
  readonly httpSeconds: number;
  /** Between two looks at whether the local service rests after a load. */
  readonly httpPauseMs: number;
  /** Requests of one kind where nothing is compared. */
  readonly requests: number;
  /** Sizes that something grows to: answers of a respondent, surveys of a project (at most 500), answers of a project. */
  readonly histories: readonly number[];
  readonly surveys: readonly number[];
  readonly projects: readonly number[];
  /** Simulations, each with a seed of its own. */
  readonly throws: number;
}

export const FULL: Plan = {
  warmRounds: 25,
  warmRequests: 200,
  coldRounds: 15,
  httpSeconds: 20,
  httpPauseMs: 1_000,
  requests: 15,
  histories: [0, 1, 10, 100, 1_000],
  surveys: [1, 10, 100, 500],
  projects: [1_000, 10_000, 100_000],
  throws: 200,
};

/** A minute or two. */
export const QUICK: Plan = {
  ...FULL,
  warmRounds: 5,
  warmRequests: 60,
  coldRounds: 3,
  httpSeconds: 3,
  projects: [1_000, 10_000],
  throws: 20,
};
