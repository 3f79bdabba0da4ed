import type { Binding } from './survey.ts';

export type SubmissionBody = Readonly<Record<string, unknown>>;

export interface Submission {
  /** Single-use, so it identifies the answer. */
  readonly token: string;
  /** Hash of respondent and survey. */
  readonly mark: number;
  readonly path: string;
  readonly body: SubmissionBody;
}

export interface KeptSubmission extends Submission {
  /** Not sent before; milliseconds since the epoch. */
  readonly at: number;
  /** When it is dropped; absent in older entries. */
  readonly until?: number;
  readonly tries: number;
}

/** Kept so that it survives a reload and can be changed. */
export interface KeptRating {
  readonly mark: number;
  /** Only the token that stored the rating can change it. */
  readonly binding: Binding & { readonly showToken: string };
  /** Newest revision at the service; -1 for none. */
  readonly known: number;
  readonly rating?: number | undefined;
  readonly text?: string | undefined;
  readonly reasons?: readonly string[] | undefined;
  readonly at: number;
  readonly open: boolean;
}

export interface State {
  readonly device?: string;
  /** By mark, the last final reply; milliseconds since the epoch. */
  readonly seen: Readonly<Record<number, number>>;
  readonly outbox: readonly KeptSubmission[];
  readonly ratings?: readonly KeptRating[];
  /** The visit's last 1,000. */
  readonly events?: readonly string[];
  /** No calls before, as the service asked; milliseconds since the epoch. */
  readonly wait: number;
}

export interface ClientStorage {
  readonly read: () => State;
  readonly update: (change: Partial<State>) => State;
}

/**
 * In `localStorage`, shared by an origin's tabs, or for one visit in `sessionStorage`; in memory if blocked, full or
 * unwanted. Values of another shape are overwritten.
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
      // Blocked or malformed; the next update repairs it.
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
