/**
 * DynamoDB's partitions under load, as far as AWS documents them (Developer Guide, "Burst and adaptive capacity", "Partitions and
 * data distribution"): 1,000 write and 3,000 read units a second each; a partition that is hot for minutes is split, keys apart, down
 * to one key a partition. One key whose range keys only grow is never split further. Pure; the dice are the caller's.
 */

export interface KeyLoad {
  /** From 0 to 1: where the partition key's hash lies. */
  readonly hash: number;
  /** Units a second. */
  readonly load: number;
}

export interface PartitionLoad {
  readonly load: number;
  readonly keys: number;
}

export const PARTITION_LIMIT = { write: 1_000, read: 3_000 } as const;

/** A small generator of its own (mulberry32), so that a seed means the same everywhere. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const total = (keys: readonly KeyLoad[]): number => keys.reduce((sum, { load }) => sum + load, 0);

/** Splits at the load's median, between two keys; what is one key stays. */
function split(keys: readonly KeyLoad[], limit: number): readonly (readonly KeyLoad[])[] {
  if (keys.length < 2 || total(keys) <= limit) return [keys];
  const half = total(keys) / 2;
  let sum = 0;
  let cut = 0;
  while (cut < keys.length - 1 && (sum < half || cut === 0)) {
    sum += keys[cut]?.load ?? 0;
    cut += 1;
  }
  return [...split(keys.slice(0, cut), limit), ...split(keys.slice(cut), limit)];
}

interface Layout {
  /** Partitions of equal hash ranges at first. */
  readonly partitions: number;
  readonly limit: number;
  /** Whether hot partitions have been split, as they are after some minutes. */
  readonly adaptive: boolean;
}

/** The partitions' loads, hottest first. */
export function partitionLoads(
  keys: readonly KeyLoad[],
  { partitions, limit, adaptive }: Layout,
): PartitionLoad[] {
  const ranges = Array.from({ length: partitions }, (): KeyLoad[] => []);
  for (const key of keys) {
    ranges[Math.min(partitions - 1, Math.floor(key.hash * partitions))]?.push(key);
  }
  const parts = adaptive
    ? ranges.flatMap((range) =>
        split(
          range.toSorted((a, b) => a.hash - b.hash),
          limit,
        ),
      )
    : ranges;
  return parts.map((part) => ({ load: total(part), keys: part.length })).sort((a, b) => b.load - a.load);
}

/** Of what arrives, the share that partitions at their limit refuse. */
export function throttledShare(loads: readonly PartitionLoad[], limit: number): number {
  const offered = loads.reduce((sum, { load }) => sum + load, 0);
  return loads.reduce((sum, { load }) => sum + Math.max(0, load - limit), 0) / offered;
}
