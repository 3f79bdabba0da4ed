import type { Binding } from './survey.ts';

/** The body of an answer or a dismissal. */
export type SubmissionBody = Readonly<Record<string, unknown>>;

/** An answer or a dismissal on its way. */
export interface Submission {
  /** The show-token: single-use, so it names the answer. */
  readonly token: string;
  /** Sticky hash of respondent and survey. */
  readonly mark: number;
  readonly path: string;
  readonly body: SubmissionBody;
}

export interface KeptSubmission extends Submission {
  /** Not to be sent before this timestamp, milliseconds since the epoch. */
  readonly at: number;
  /** When it is given up, milliseconds since the epoch; absent of what an earlier version has kept. */
  readonly until?: number;
  readonly tries: number;
}

/** What a person made of one message, kept on the device so that a reload shows it and a change can be sent. */
export interface KeptRating {
  /** Sticky hash of respondent and survey. */
  readonly mark: number;
  /** With the token that stores it: it alone may change it. */
  readonly binding: Binding & { readonly showToken: string };
  /** The newest revision that the service is known to have; -1 when it has none. */
  readonly known: number;
  /** What the person chose; absent when they took it back. */
  readonly rating?: number | undefined;
  readonly text?: string | undefined;
  /** Codes. */
  readonly reasons?: readonly string[] | undefined;
  /** When they did, milliseconds since the epoch. */
  readonly at: number;
  /** Whether the service has yet to take it. */
  readonly open: boolean;
}

/** What outlives a page load. */
export interface State {
  readonly device?: string;
  /** By mark, when the service took (or refused) the last submission, milliseconds since the epoch. */
  readonly seen: Readonly<Record<number, number>>;
  readonly outbox: readonly KeptSubmission[];
  /** Of messages, where the page has thumbs under them. */
  readonly ratings?: readonly KeptRating[];
  /** Of a visit: what has happened in it, by name, the last 1,000. */
  readonly events?: readonly string[];
  /** The service asked not to be called before this timestamp, milliseconds since the epoch. */
  readonly wait: number;
}

export interface ClientStorage {
  readonly read: () => State;
  /** @returns the state after the change */
  readonly update: (change: Partial<State>) => State;
}

/**
 * State in `localStorage`, shared by the tabs of an origin, or of one visit in `sessionStorage`. Where that is blocked, full or not wanted, it is in memory, for
 * as long as the page lives; where it holds something of another shape, that gives way.
 */
export function createStorage(
  name: string,
  persistent: boolean,
  area: 'localStorage' | 'sessionStorage' = 'localStorage',
): ClientStorage {
  let state: State = { seen: {}, outbox: [], wait: 0 };
  const read = (): State => {
    try {
      const kept: State = { ...state, ...(persistent && JSON.parse(globalThis[area][name] ?? null)) };
      if (kept.seen && kept.outbox.every(({ at }) => at)) state = kept;
    } catch {
      // Blocked, or of another shape: then the next update puts it right.
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
