import type { Binding } from './survey.ts';

export type SubmissionBody = Readonly<Record<string, unknown>>;

export interface Submission {
  /** The show-token. It is single-use, so it identifies the answer. */
  readonly token: string;
  /** Sticky hash of respondent and survey. */
  readonly mark: number;
  readonly path: string;
  readonly body: SubmissionBody;
}

export interface KeptSubmission extends Submission {
  /** Not sent before this time, milliseconds since the epoch. */
  readonly at: number;
  /** When it is dropped, milliseconds since the epoch; absent from entries of older versions. */
  readonly until?: number;
  readonly tries: number;
}

/** A message's rating, kept on the device so that it survives a reload and can be changed. */
export interface KeptRating {
  readonly mark: number;
  /** Includes the token that stored the rating: only that token can change it. */
  readonly binding: Binding & { readonly showToken: string };
  /** The newest revision that the service is known to have; -1 if none. */
  readonly known: number;
  readonly rating?: number | undefined;
  readonly text?: string | undefined;
  readonly reasons?: readonly string[] | undefined;
  /** When the person chose, milliseconds since the epoch. */
  readonly at: number;
  readonly open: boolean;
}

export interface State {
  readonly device?: string;
  /** By mark, when the last submission was accepted or refused, milliseconds since the epoch. */
  readonly seen: Readonly<Record<number, number>>;
  readonly outbox: readonly KeptSubmission[];
  readonly ratings?: readonly KeptRating[];
  /** Names of the last 1,000 events of the visit. */
  readonly events?: readonly string[];
  /** The service asked not to be called before this time, milliseconds since the epoch. */
  readonly wait: number;
}

export interface ClientStorage {
  readonly read: () => State;
  readonly update: (change: Partial<State>) => State;
}

/**
 * State in `localStorage`, shared by the tabs of an origin, or for one visit in `sessionStorage`. Falls back to memory
 * if that is blocked, full or unwanted. Values of another shape are overwritten.
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
      // Blocked or malformed: the next update repairs it.
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
