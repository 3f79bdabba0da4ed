/**
 * Asking for a fold where none of a respondent's answers will: a history that is too long is given no tokens, so no
 * further answer can set one off. One item a person and minute, which the table's stream hands to the folding.
 */

import { respondentHash } from '../../crypto/derive.ts';
import type { HashSecret } from '../../crypto/secret-cache.ts';
import { HOUR, MINUTE, SECOND } from '../../domain/duration.ts';
import { withDeadline } from '../table/deadline.ts';
import { foldRequestKey, TABLE } from '../table/schema.ts';
import type { Table } from '../table/table.ts';

/** What asking may cost a request. */
const DEADLINE_MS = 300;
const LIFETIME_MS = HOUR;

export interface FoldRequests {
  /**
   * @param now milliseconds since the epoch
   * @throws when the table does not answer within the deadline
   */
  ask(projectId: string, respondentId: string, now: number): Promise<void>;
}

interface FoldRequestsParts {
  readonly table: Table;
  readonly secrets: HashSecret;
  readonly deadlineMs?: number | undefined;
}

export function createFoldRequests({
  table,
  secrets,
  deadlineMs = DEADLINE_MS,
}: FoldRequestsParts): FoldRequests {
  return {
    async ask(projectId, respondentId, now) {
      const hash = respondentHash(await secrets.hashSecret(), projectId, respondentId);
      const minute = Math.floor(now / MINUTE);
      const set = {
        type: 'fold-request',
        fold: true,
        projectId,
        respondentHash: hash,
        [TABLE.timeToLive]: Math.ceil((minute * MINUTE + LIFETIME_MS) / SECOND),
      };
      // The same again in the same minute changes nothing, and the stream tells of no change.
      await withDeadline(deadlineMs, () => table.update(foldRequestKey(projectId, hash, minute), { set }));
    },
  };
}
