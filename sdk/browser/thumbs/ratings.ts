import type { ClientStorage, KeptRating } from '../client/storage.ts';
import type { Binding } from '../client/survey.ts';
import { LONGEST_MS, RATINGS_LIMIT } from '../client/times.ts';

export interface Ratings {
  readonly find: (mark: number, wanted: Binding) => KeptRating | undefined;
  readonly ofToken: (showToken: string) => KeptRating | undefined;
  readonly keep: (rating: KeptRating) => void;
  readonly forget: (rating: Pick<KeptRating, 'mark' | 'binding'>) => void;
}

const idOf = (mark: number, { sessionId, traceId, observationId }: Binding) =>
  JSON.stringify([mark, sessionId, traceId, observationId]);

export const said = ({ rating, text, reasons, answers }: Partial<KeptRating>): string =>
  JSON.stringify([rating, text, reasons, answers]);

export const findRating = (
  { read }: Pick<ClientStorage, 'read'>,
  mark: number,
  wanted: Binding,
): KeptRating | undefined =>
  read().ratings?.find((kept) => idOf(kept.mark, kept.binding) === idOf(mark, wanted));

/** @param changed receives the token of a changed or dropped rating */
export function createRatings(storage: ClientStorage, changed: (showToken: string) => void): Ratings {
  const { read, update } = storage;
  const replace = ({ mark, binding }: Pick<KeptRating, 'mark' | 'binding'>, ...by: KeptRating[]) => {
    const others = (read().ratings ?? []).filter(
      (kept) => idOf(kept.mark, kept.binding) !== idOf(mark, binding) && kept.at > Date.now() - LONGEST_MS,
    );
    update({ ratings: [...others, ...by].slice(-RATINGS_LIMIT) });
    changed(binding.showToken);
  };
  return {
    find: (mark, wanted) => findRating(storage, mark, wanted),
    ofToken: (showToken) => read().ratings?.findLast(({ binding }) => binding.showToken === showToken),
    keep: (rating) => replace(rating, rating),
    forget: (rating) => replace(rating),
  };
}
