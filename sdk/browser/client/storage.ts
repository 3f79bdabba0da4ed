import type { RatingDetail } from './message-rating.ts';
import type { Binding, QuestionAnswers, Session } from './survey.ts';

export interface SubmissionBody extends Session, RatingDetail {
  readonly surveyId?: string;
  readonly rating?: number | undefined;
  readonly [field: string]: unknown;
}

export interface Submission {
  /** Single-use, so the token identifies the answer. */
  readonly token: string;
  /** Hash of respondent and survey. */
  readonly mark: number;
  readonly path: string;
  readonly body: SubmissionBody;
  /** True only replaces an earlier draft that was not sent yet. False also changes one that was sent (refused.ts). */
  readonly again?: boolean | undefined;
  /** Its token replaced an expired one. */
  readonly renewed?: true;
}

export interface KeptSubmission extends Submission {
  /** The submission is not sent before this time; milliseconds since the epoch. */
  readonly at: number;
  /** When the entry is dropped; absent in older entries. */
  readonly until?: number;
  readonly tries: number;
}

/** A rating that survives a reload and can be changed. */
export interface KeptRating {
  readonly mark: number;
  /** Only the token that stored the rating can change it. */
  readonly binding: Binding & { readonly showToken: string };
  /** The newest revision that the service has; -1 for none. */
  readonly known: number;
  /** Absent after a withdrawal. */
  readonly rating?: number | undefined;
  readonly text?: string | undefined;
  readonly reasons?: readonly string[] | undefined;
  readonly answers?: QuestionAnswers | undefined;
  readonly at: number;
  /** The service has not stored it yet. */
  readonly open: boolean;
}

export interface State {
  readonly device?: string;
  /** The time of the last final reply, by mark, and by `@` and the respondent's id; milliseconds since the epoch. */
  readonly seen: Readonly<Record<number | string, number>>;
  readonly outbox: readonly KeptSubmission[];
  readonly ratings?: readonly KeptRating[];
  /** The last 1,000 events of the visit. */
  readonly events: readonly string[];
  /** The service asked for no calls before this time; milliseconds since the epoch. */
  readonly wait: number;
}

export interface ClientStorage {
  readonly read: () => State;
  readonly update: (change: Partial<State>) => State;
}

/**
 * Stores data in `localStorage`, which an origin's tabs share, or for one visit in `sessionStorage`. Uses memory if
 * storage is blocked, full or unwanted. Values with another shape are overwritten.
 */
export function createStorage(
  name: string,
  persistent: boolean,
  area: 'localStorage' | 'sessionStorage',
): ClientStorage {
  let state: State = { seen: {}, outbox: [], events: [], wait: 0 };
  const read = (): State => {
    try {
      const kept: State = { ...state, ...(persistent && JSON.parse(globalThis[area][name])) };
      if (kept.seen && kept.outbox.every((each) => each.at)) state = kept;
    } catch {
      // The storage is blocked or malformed. The next update repairs it.
    }
    return state;
  };
  return {
    read,
    update(change) {
      state = { ...read(), ...change };
      try {
        if (persistent) globalThis[area][name] = JSON.stringify(state);
      } catch {
        persistent = false;
      }
      return state;
    },
  };
}
