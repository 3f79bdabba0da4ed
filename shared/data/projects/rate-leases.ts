/** See decision 30. */

import * as z from 'zod/mini';
import { HOUR, SECOND } from '../../domain/duration.ts';
import { once } from '../../domain/memory.ts';
import { type LeaseAsk, type LeaseReply, type RateLimit, termsOf } from '../../domain/rates/rate-lease.ts';
import type { Change, Condition } from '../table/expressions.ts';
import { readRow } from '../table/row.ts';
import { type Key, TABLE } from '../table/schema.ts';
import type { Table } from '../table/table.ts';

/** A bucket that was unused for this long is full, like one that does not exist. */
const ITEM_LIFETIME_MS = HOUR;

const bucketRow = once(() => z.object({ emptyAt: z.optional(z.number()), offered: z.optional(z.number()) }));

function leaseWrite(ask: LeaseAsk, limit: RateLimit, now: number): { change: Change; when: Condition } {
  const { cost, full, earliest, latest } = termsOf(ask, limit, now);
  const { offered } = ask;
  if (ask.refill) {
    return {
      change: { set: { emptyAt: full + cost }, add: { offered } },
      when: { text: 'attribute_not_exists(#emptyAt) OR #emptyAt < :full', values: { full } },
    };
  }
  const change = { add: { emptyAt: cost, offered } };
  return latest === undefined
    ? { change, when: { text: '#emptyAt >= :earliest', values: { earliest } } }
    : { change, when: { text: '#emptyAt BETWEEN :earliest AND :latest', values: { earliest, latest } } };
}

export function createRateLeases(table: Table) {
  return {
    async ask(key: Key, ask: LeaseAsk, limit: RateLimit, now: number): Promise<LeaseReply> {
      const { change, when } = leaseWrite(ask, limit, now);
      const set = {
        ...change.set,
        type: 'rate-lease',
        [TABLE.timeToLive]: Math.ceil((now + ITEM_LIFETIME_MS) / SECOND),
      };
      const written = await table.update(key, { ...change, set }, when, 'ALL_NEW');
      const bucket = readRow(bucketRow, (written.done ? written.row : written.found) ?? {});
      return { granted: written.done, ...bucket };
    },
  };
}

export type RateLeases = ReturnType<typeof createRateLeases>;
