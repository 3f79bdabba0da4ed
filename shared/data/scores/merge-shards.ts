import type { IndexEntry, IndexQuery, ReadIndex } from '../table/index-reader.ts';

const LARGEST_PAGE = 100;

export interface ShardWalk extends Omit<IndexQuery, 'partition' | 'limit'> {
  readonly partitions: readonly string[];
  /** Sizes the first reads and is no limit. */
  readonly expected: number;
}

interface Lane {
  readonly partition: string;
  waiting: readonly IndexEntry[];
  next: number;
  position: string | undefined;
  limit: number;
  exhausted: boolean;
}

function head(lane: Lane): IndexEntry | undefined {
  return lane.waiting[lane.next];
}

/**
 * An order is yielded once, because a lagging index may show a row in two partitions. Partitions are read in parallel,
 * no further than is consumed.
 */
export async function* mergeShards(read: ReadIndex, walk: ShardWalk): AsyncGenerator<IndexEntry> {
  const { partitions, expected, after, ...query } = walk;
  // Most pages then need one read of each partition.
  const limit = Math.min(LARGEST_PAGE, Math.ceil((2 * expected) / partitions.length) + 2);
  const lanes: Lane[] = partitions.map((partition) => ({
    partition,
    waiting: [],
    next: 0,
    position: after,
    limit,
    exhausted: false,
  }));

  async function refill(lane: Lane): Promise<void> {
    const { partition, position } = lane;
    const { entries, more } = await read({
      ...query,
      partition,
      limit: lane.limit,
      after: position,
    });
    lane.waiting = entries;
    lane.next = 0;
    lane.position = entries.at(-1)?.order ?? position;
    lane.limit = Math.min(LARGEST_PAGE, lane.limit * 2);
    lane.exhausted = !more;
  }

  const isBefore = (one: string, other: string) => (query.descending === true ? one > other : one < other);
  let last = after;
  for (;;) {
    const dry = lanes.filter((lane) => head(lane) === undefined && !lane.exhausted);
    if (dry.length > 0) await Promise.all(dry.map(refill));
    let first: Lane | undefined;
    for (const lane of lanes) {
      const order = head(lane)?.order;
      const best = first === undefined ? undefined : head(first)?.order;
      if (order !== undefined && (best === undefined || isBefore(order, best))) first = lane;
    }
    const entry = first === undefined ? undefined : head(first);
    if (first === undefined || entry === undefined) return;
    first.next += 1;
    if (last !== undefined && !isBefore(last, entry.order)) continue;
    last = entry.order;
    yield entry;
  }
}
