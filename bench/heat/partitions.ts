/**
 * A simulation of DynamoDB's partitions, as far as AWS documents them (Developer Guide, "Burst and adaptive capacity",
 * "Partitions and data distribution"). Each takes 1,000 write and 3,000 read units a second; one that is hot for minutes is
 * split between keys, down to one key a partition. One key whose range keys only grow is never split further.
 */

export interface KeyLoad {
  /** From 0 to 1: where the partition key's hash lies. */
  readonly hash: number;
  /** Units a second. */
  readonly load: number;
}

export const LIMIT = { write: 1_000, read: 3_000 } as const;

/** A table that takes its 4,000 writes a second at once and has grown with its traffic to these. */
const PARTITIONS = 16;

const total = (keys: readonly KeyLoad[]): number => keys.reduce((sum, { load }) => sum + load, 0);

/** Splits at the median of the load, between two keys. */
function split(keys: readonly KeyLoad[], limit: number): readonly (readonly KeyLoad[])[] {
  if (keys.length < 2 || total(keys) <= limit) return [keys];
  const half = total(keys) / 2;
  let [sum, cut] = [0, 0];
  while (cut < keys.length - 1 && (sum < half || cut === 0)) {
    sum += keys[cut]?.load ?? 0;
    cut += 1;
  }
  return [...split(keys.slice(0, cut), limit), ...split(keys.slice(cut), limit)];
}

/** The loads of partitions of equal hash ranges, hottest first; when split, as they are after some hot minutes. */
export function partitionLoads(
  keys: readonly KeyLoad[],
  limit: number,
  isSplit: boolean,
  partitions = PARTITIONS,
): number[] {
  const ranges = Array.from({ length: partitions }, (): KeyLoad[] => []);
  for (const key of keys) ranges[Math.min(partitions - 1, Math.floor(key.hash * partitions))]?.push(key);
  const parts = isSplit
    ? ranges.flatMap((range) =>
        split(
          range.toSorted((a, b) => a.hash - b.hash),
          limit,
        ),
      )
    : ranges;
  return parts.map(total).sort((a, b) => b - a);
}

/** Of what arrives, the share that partitions at their limit refuse. */
export function refusedShare(loads: readonly number[], limit: number): number {
  const refused = loads.reduce((sum, load) => sum + Math.max(0, load - limit), 0);
  return refused / loads.reduce((sum, load) => sum + load, 0);
}
