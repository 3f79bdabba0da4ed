/**
 * An index that lags behind the table and repeats entries. Each change of a partition becomes visible separately. A row
 * may be missing, remain after its removal, or be in two partitions at once.
 */

import type { IndexEntry, ReadIndex } from '../../../shared/data/table/index-reader.ts';

interface LagOptions {
  /** Between 0 and 1, like Math.random. */
  readonly random: () => number;
  readonly lag?: number;
  readonly repeat?: number;
}

export interface LaggingIndex {
  readonly read: ReadIndex;
  settle(): void;
}

/** Sorts after every continuation of a prefix. */
const LAST = '\u{10ffff}';

async function readAll(inner: ReadIndex, query: Pick<Parameters<ReadIndex>[0], 'index' | 'partition'>) {
  const all = new Map<string, IndexEntry>();
  for (let after: string | undefined; ; ) {
    const { entries, more } = await inner({ ...query, limit: 1_000, ...(after !== undefined && { after }) });
    for (const entry of entries) all.set(entry.order, entry);
    after = entries.at(-1)?.order;
    if (!more || after === undefined) return all;
  }
}

export function createLaggingIndex(
  inner: ReadIndex,
  { random, lag = 0.5, repeat = 0.2 }: LagOptions,
): LaggingIndex {
  const visible = new Map<string, Map<string, IndexEntry>>();
  let settled = new Set<string>();
  let settling = false;

  return {
    settle() {
      settling = true;
      settled = new Set();
    },
    async read(query) {
      const name = `${query.index} ${query.partition}`;
      const { index, partition } = query;
      const truth = await readAll(inner, { index, partition });
      const shown = visible.get(name) ?? new Map<string, IndexEntry>();
      visible.set(name, shown);
      const catchUp = settling && !settled.has(name);
      settled.add(name);
      for (const order of [...shown.keys()]) {
        if (!truth.has(order) && (catchUp || random() >= lag)) shown.delete(order);
      }
      for (const [order, entry] of truth) {
        if (!shown.has(order) && (catchUp || random() >= lag)) shown.set(order, entry);
      }
      const { after, limit, prefix = '', from = prefix, to = `${prefix}${LAST}`, descending = false } = query;
      const isBehind = (order: string) => after === undefined || (descending ? order < after : order > after);
      const matching = [...shown.values()]
        .filter(({ order }) => isBehind(order) && order >= from && (order <= to || order.startsWith(to)))
        .sort((left, right) => (left.order < right.order === descending ? 1 : -1));
      const entries = matching
        .slice(0, limit)
        .flatMap((entry) => (random() < repeat ? [entry, entry] : [entry]));
      return { entries, more: matching.length > limit };
    },
  };
}
