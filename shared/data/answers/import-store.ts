/** Storing answers of another survey platform. */

import { importedRespondentId, respondentHash } from '../../crypto/derive.ts';
import { importTokenId, responseId } from '../../crypto/ids.ts';
import type { HashSecret } from '../../crypto/secret-cache.ts';
import type { Response } from '../../domain/answers/answer.ts';
import { fieldsIn, pickFields } from '../../domain/answers/answer-fields.ts';
import { redactAnswer } from '../../domain/answers/redaction.ts';
import type { ImportedRow } from '../../domain/import/import-row.ts';
import { isGone } from '../../domain/retention.ts';
import { ABSENT, all, PRESENT } from '../table/expressions.ts';
import { type Key, suppressionKey } from '../table/schema.ts';
import type { Table } from '../table/table.ts';
import { answerItem } from './answer-item.ts';
import { newsOf, superfluousIn } from './retained.ts';
import { readSuppression, removal, type Suppression, suppressionChange } from './suppression-item.ts';

/**
 * What became of a line: stored, stored with its text redacted, there already, of a person who was erased, or of a day
 * whose answers are gone.
 */
export type ImportOutcome = 'imported' | 'redacted' | 'known' | 'erased' | 'expired';

/** The item is there without it where a history was folded. */
const NOT_ERASED = { text: 'attribute_not_exists(#erasedAt)' };

interface ImportTarget {
  readonly projectId: string;
  readonly surveyId: string;
  /** Of an observation survey: its answers count in no history. */
  readonly isBeside?: boolean | undefined;
  /** Whether the project redacts texts. */
  readonly redact?: boolean | undefined;
  /** A day: of answers before it no row is stored; absent or empty where none is gone. */
  readonly completeFrom?: string | undefined;
}

export interface ImportStore {
  /**
   * Stores an answer unless it is there already or its respondent was erased, under either id of the line, and adds it
   * to the respondent's retained suppression: readers of a history look for it nowhere else. One transaction. What the
   * suppression does without is taken out before, so that it stays small however many answers one id has. Of an answer
   * that is gone already, the suppression is all that is stored.
   * @param now milliseconds since the epoch; the time of a line that says none
   */
  store(target: ImportTarget, row: ImportedRow, now: number): Promise<ImportOutcome>;
}

interface ImportStoreParts {
  readonly table: Table;
  readonly secrets: HashSecret;
  /** Shards of each index per project. */
  readonly shards: number;
}

export function createImportStore({ table, secrets, shards }: ImportStoreParts): ImportStore {
  /** In a transaction, which waits for those of other lines. */
  async function readTidied(key: Key, now: number): Promise<Suppression | undefined> {
    const row = await table.get(key);
    const read = row && readSuppression(row);
    const superfluous = read && superfluousIn(read, now);
    if (superfluous !== undefined)
      await table.transact([{ update: key, change: removal(superfluous), when: all(PRESENT, NOT_ERASED) }]);
    return read;
  }

  return {
    async store({ projectId, surveyId, isBeside = false, redact = false, completeFrom = '' }, row, now) {
      const secret = await secrets.hashSecret();
      const at = row.at ?? now;
      const ids = new Set<string>();
      if (row.respondentId !== undefined) ids.add(row.respondentId);
      if (row.email !== undefined) ids.add(importedRespondentId(secret, projectId, row.email));
      const [respondentId = ''] = ids;
      const hashes = [...ids].map((id) => respondentHash(secret, projectId, id));
      const [hash = '', ...others] = hashes;
      // Of the line as it came: imported again it is known, whatever the project redacts by then.
      const tokenId = importTokenId(secret, { projectId, surveyId, respondentId }, row);
      const { said, redacted } = redactAnswer(redact, row);
      const response: Response = {
        kind: 'response',
        id: responseId(secret, projectId, { tokenId, respondentHash: hash }),
        tokenId,
        projectId,
        surveyId,
        respondentId,
        at: new Date(at).toISOString(),
        writeId: 'import',
        // There never was a token: nothing has to stay used when the answer is deleted.
        tokenExpiresAt: 0,
        source: 'import',
        ...pickFields(fieldsIn('import'), said),
        attested: {},
        claimed: {},
      };
      const key = suppressionKey(projectId, hash);
      const before = isBeside ? undefined : await readTidied(key, now);
      const past = { surveyId, time: { at, tokenId, kind: 'response' } } as const;
      const folded = suppressionChange(
        { projectId, respondentHash: hash, shards },
        newsOf(past, before, now),
      );
      const ofOthers = others.map((person) => ({
        check: suppressionKey(projectId, person),
        when: NOT_ERASED,
      }));
      if (isGone(response.at, completeFrom)) {
        if (isBeside) return 'expired';
        const kept = await table.transact([{ update: key, change: folded, when: NOT_ERASED }, ...ofOthers]);
        return kept.done ? 'expired' : 'erased';
      }
      const written = await table.transact([
        {
          put: {
            ...answerItem(response, hash, shards),
            storedAt: new Date(now).toISOString(),
            ...(isBeside && { beside: true }),
          },
          when: ABSENT,
        },
        isBeside ? { check: key, when: NOT_ERASED } : { update: key, change: folded, when: NOT_ERASED },
        ...ofOthers,
      ]);
      if (written.done) return redacted.length === 0 ? 'imported' : 'redacted';
      return written.failed.size === 1 && written.failed.has(0) ? 'known' : 'erased';
    },
  };
}
