import * as z from 'zod/mini';
import { respondentHash } from '../../crypto/derive.ts';
import { responseId, sessionMark } from '../../crypto/ids.ts';
import type { HashSecret } from '../../crypto/secret-cache.ts';
import type { NewAnswer } from '../../domain/answers/answer.ts';
import type { History } from '../../domain/answers/history.ts';
import { SECOND } from '../../domain/duration.ts';
import { once } from '../../domain/memory.ts';
import { type TimeLimits, withDeadline, withoutDeadline } from '../table/deadline.ts';
import { ABSENT } from '../table/expressions.ts';
import { type Row, readRow } from '../table/row.ts';
import { answerKey, type Key } from '../table/schema.ts';
import type { Table } from '../table/table.ts';
import { isUnavailable } from '../table/unavailable.ts';
import { answerItem } from './answer-item.ts';
import { readHistory } from './history.ts';

export const LOOK_UP_MS = 2 * SECOND;

/** It is a query, because the functions that redeem tokens may only query and put. Never throws. */
export async function lookUp(table: Table, { pk, sk }: Key, deadlineMs: number): Promise<Row | undefined> {
  return withoutDeadline(() =>
    withDeadline(deadlineMs, () => table.page({ partition: pk, from: sk, to: sk })),
  )
    .then(({ rows: [row] }) => row)
    .catch(() => undefined);
}

export interface TokenUse {
  readonly id: string;
  readonly at: string;
  readonly kind: 'response' | 'dismissal';
}

export type RedeemOutcome =
  | { readonly stored: true; readonly id: string }
  | { readonly stored: false; readonly usedBy: TokenUse };

export interface AnswerStore {
  /**
   * A failed condition whose old item carries this call's write id is our own retried write: the answer is stored. A
   * write without a reply is looked up, because it may have succeeded.
   * @throws if the table does not answer; as far as can be known, nothing is stored
   */
  redeem(answer: NewAnswer): Promise<RedeemOutcome>;
  isUsed(
    projectId: string,
    token: { readonly respondentId: string; readonly tokenId: string },
  ): Promise<boolean>;
  /** Reads at most 48 units strongly consistently; a longer history `isTooLong`. */
  history(projectId: string, respondentId: string): Promise<History>;
}

const usedRow = once(() =>
  z.object({
    writeId: z.string(),
    id: z.string(),
    at: z.string(),
    kind: z.enum(['response', 'dismissal']),
  }),
);

interface AnswerStoreParts extends Pick<TimeLimits, 'lookUpDeadlineMs'> {
  readonly table: Table;
  readonly secrets: HashSecret;
  readonly shards: number;
  readonly writeId: () => string;
}

export function createAnswerStore({
  table,
  secrets,
  shards,
  writeId: freshId,
  lookUpDeadlineMs = LOOK_UP_MS,
}: AnswerStoreParts): AnswerStore {
  return {
    async redeem(answer) {
      const { projectId, tokenId } = answer;
      const secret = await secrets.hashSecret();
      const hash = respondentHash(secret, projectId, answer.respondentId);
      const id = responseId(secret, projectId, { tokenId, respondentHash: hash });
      const writeId = freshId();
      const sessionId = answer.kind === 'response' ? answer.attested.sessionId : answer.sessionId;
      const mark = sessionId === undefined ? undefined : sessionMark(secret, answer, sessionId);
      const item = answerItem({ ...answer, id, writeId, sessionMark: mark }, hash, shards);

      function readOutcome(row: Row): RedeemOutcome {
        const { writeId: usedBy, ...use } = readRow(usedRow, row);
        return usedBy === writeId ? { stored: true, id } : { stored: false, usedBy: use };
      }

      try {
        const written = await table.put(item, ABSENT);
        if (written.done) return { stored: true, id };
        if (written.found === undefined)
          throw new Error('DynamoDB refused the write without returning the row of the used token');
        return readOutcome(written.found);
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        const found = await lookUp(table, answerKey(projectId, hash, tokenId), lookUpDeadlineMs);
        if (found === undefined) throw error;
        return readOutcome(found);
      }
    },

    async isUsed(projectId, { respondentId, tokenId }) {
      const hash = respondentHash(await secrets.hashSecret(), projectId, respondentId);
      const { pk, sk } = answerKey(projectId, hash, tokenId);
      const { rows } = await table.page({ partition: pk, from: sk, to: sk });
      return rows.length > 0;
    },

    async history(projectId, respondentId) {
      const hash = respondentHash(await secrets.hashSecret(), projectId, respondentId);
      return readHistory(table, projectId, hash);
    },
  };
}
