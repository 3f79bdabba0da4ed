/** How a row says that a probe left it: nothing follows from it, and it goes by itself. */

import { SECOND } from '../../domain/duration.ts';
import type { Row } from '../table/row.ts';
import { TABLE } from '../table/schema.ts';

/** @param expiresAt milliseconds since the epoch */
export const probeAttributes = (expiresAt: number): Row => ({
  probe: true,
  [TABLE.timeToLive]: Math.ceil(expiresAt / SECOND),
});

export const isOfProbe = (row: Row | undefined): boolean => row?.probe === true;
