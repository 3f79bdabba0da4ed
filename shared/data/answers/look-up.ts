/** Looking up a write that got no reply: it may have happened. */

import { SECOND } from '../../domain/duration.ts';
import { withDeadline, withoutDeadline } from '../table/deadline.ts';
import type { Row } from '../table/row.ts';
import type { Key } from '../table/schema.ts';
import type { Table } from '../table/table.ts';

/** How long looking an unclear write up may take, beyond the request's deadline, milliseconds. */
export const LOOK_UP_MS = 2 * SECOND;

/**
 * The row of a key, beyond the deadline of the request. It is a query of one key: the functions that redeem may query
 * and put, and nothing else. Never throws.
 * @returns undefined where there is none, and when the table does not answer within the deadline
 */
export async function lookUp(table: Table, { pk, sk }: Key, deadlineMs: number): Promise<Row | undefined> {
  return withoutDeadline(() =>
    withDeadline(deadlineMs, () => table.page({ partition: pk, from: sk, to: sk })),
  )
    .then(({ rows: [row] }) => row)
    .catch(() => undefined);
}
