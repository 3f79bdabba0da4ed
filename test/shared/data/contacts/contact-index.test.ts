import { expect, it } from 'vitest';
import { createContactCounter } from '../../../../shared/data/contacts/contact-index.ts';
import type { IndexEntry, ReadIndex } from '../../../../shared/data/table/index-reader.ts';
import { contactShardPartition } from '../../../../shared/data/table/schema.ts';

/** Open entries by shard, alternating between two surveys; one in seven is repeated. */
function anIndex(...counts: readonly number[]) {
  const asked: string[] = [];
  const read: ReadIndex = async ({ index, partition, after = '', limit }) => {
    asked.push(`${index} ${partition}`);
    const shard = counts.findIndex((_, place) => contactShardPartition('p', 'open', place) === partition);
    const entries = Array.from({ length: counts[shard] ?? 0 }, (_, place): IndexEntry => {
      const order = `2026-11-20T09:30:00.${String(place).padStart(6, '0')}Z#sv_${place % 2}#a`;
      return { key: { pk: 'P', sk: order }, order };
    })
      .filter(({ order }) => order > after)
      .slice(0, limit)
      .flatMap((entry, place) => (place % 7 === 0 ? [entry, entry] : [entry]));
    return { entries, more: entries.length > 0 };
  };
  return { asked, counter: createContactCounter({ readIndex: read, shards: counts.length }) };
}
const everybody = () => true;

it.each([
  [[], 0, false],
  [[3, 0, 4], 7, false],
  [[600, 400], 1_000, false],
  [[600, 401], 1_000, true],
  [[5_000], 1_000, true],
] as const)('counts shards with %j as %i, with more left: %s', async (counts, count, isMore) => {
  expect(await anIndex(...counts).counter.open('p', 1_000, everybody)).toEqual({ count, isMore });
});

it('counts only wanted surveys', async () => {
  const { counter } = anIndex(700, 3);
  expect(await counter.open('p', 1_000, (surveyId) => surveyId === 'sv_1')).toEqual({
    count: 351,
    isMore: false,
  });
});

it("reads no further than necessary, and only the project's entries", async () => {
  const { asked, counter } = anIndex(...Array.from({ length: 16 }, () => 2_000));
  await counter.open('p', 1_000, everybody);
  expect(asked).toEqual(Array.from({ length: 3 }, () => 'byContact P#p#open#0'));
});
