/** A respondent whose history is too long gets no tokens, so none of their answers can trigger a fold. */

import { respondentHash } from '../../crypto/derive.ts';
import type { HashSecret } from '../../crypto/secret-cache.ts';
import { HOUR, MINUTE, SECOND } from '../../domain/duration.ts';
import { withDeadline } from '../table/deadline.ts';
import { foldRequestKey, TABLE } from '../table/schema.ts';
import type { Table } from '../table/table.ts';

const DEADLINE_MS = 300;
const LIFETIME_MS = HOUR;

export interface FoldRequests {
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
      // Repeating it within a minute changes nothing, so the stream has no new record.
      await withDeadline(deadlineMs, () => table.update(foldRequestKey(projectId, hash, minute), { set }));
    },
  };
}
