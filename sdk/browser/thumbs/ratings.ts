import type { Binding } from '../options.ts';
import { LONGEST_MS } from '../outbox.ts';
import type { ClientStorage } from '../storage.ts';

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
  /** When they did, milliseconds since the epoch. */
  readonly at: number;
  /** Whether the service has yet to take it. */
  readonly open: boolean;
}

/** The oldest gives way; a rating is at most some 2 KB. */
const MOST = 200;

export interface Ratings {
  readonly find: (mark: number, wanted: Binding) => KeptRating | undefined;
  readonly ofToken: (showToken: string) => KeptRating | undefined;
  /** Keeps a rating in place of an earlier one of the same message. */
  readonly keep: (rating: KeptRating) => void;
  readonly forget: (rating: Pick<KeptRating, 'mark' | 'binding'>) => void;
}

const isOf = (kept: KeptRating, mark: number, { sessionId, traceId, observationId }: Binding) =>
  kept.mark === mark &&
  kept.binding.sessionId === sessionId &&
  kept.binding.traceId === traceId &&
  kept.binding.observationId === observationId;

export function createRatings({ read, update }: ClientStorage): Ratings {
  const others = (mark: number, binding: Binding) =>
    (read().ratings ?? []).filter((kept) => !isOf(kept, mark, binding) && kept.at > Date.now() - LONGEST_MS);
  return {
    find: (mark, wanted) => read().ratings?.find((kept) => isOf(kept, mark, wanted)),
    ofToken: (showToken) => read().ratings?.find(({ binding }) => binding.showToken === showToken),
    keep: (rating) => void update({ ratings: [...others(rating.mark, rating.binding), rating].slice(-MOST) }),
    forget: ({ mark, binding }) => void update({ ratings: others(mark, binding) }),
  };
}
