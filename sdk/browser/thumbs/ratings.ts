import type { ClientStorage, KeptRating } from '../storage.ts';
import { LONGEST_MS } from '../times.ts';
import type { Binding, Survey } from '../wire.ts';

/** The oldest gives way; a rating is at most some 2 KB. */
const MOST = 200;

export interface Ratings {
  readonly find: (mark: number, wanted: Binding) => KeptRating | undefined;
  readonly ofToken: (showToken: string) => KeptRating | undefined;
  /** Keeps a rating in place of an earlier one of the same message. */
  readonly keep: (rating: KeptRating) => void;
  readonly forget: (rating: Pick<KeptRating, 'mark' | 'binding'>) => void;
}

/** What all that shows or takes ratings of messages has in common: controls, and buttons of the page's own. */
export interface Shared {
  readonly ratings: Ratings;
  /** Delivers what a message's rating is now, if the service has yet to take it. */
  readonly deliver: (rating: Pick<KeptRating, 'mark' | 'binding'>) => void;
  /** What the service lists, asked for once. */
  surveys?: readonly Survey[] | undefined;
  /** By their elements, the controls in the page: shows what is kept. */
  readonly views: Map<Element, () => void>;
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
