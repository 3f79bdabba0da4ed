import { importedRespondentId, respondentHash } from '../../crypto/derive.ts';
import { importTokenId, responseId } from '../../crypto/ids.ts';
import type { Response } from '../../domain/answers/answer.ts';
import { fieldsIn, pickFields, redactAnswer } from '../../domain/answers/answer-fields.ts';
import { redactText } from '../../domain/answers/redaction.ts';
import type { ImportedRow } from '../../domain/import/import-row.ts';
import { isGone } from '../../domain/retention.ts';
import { ABSENT, all, PRESENT } from '../table/expressions.ts';
import { type Key, suppressionKey } from '../table/schema.ts';
import type { PersonDependencies } from '../table/table.ts';
import { answerItem } from './answer-item.ts';
import { newsOf, superfluousIn } from './retained.ts';
import { readSuppression, removal, type Suppression, suppressionChange } from './suppression-item.ts';

export type ImportOutcome = 'imported' | 'redacted' | 'known' | 'erased' | 'expired';

/** Folding a history creates the item without this attribute. */
const NOT_ERASED = { text: 'attribute_not_exists(#erasedAt)' };

interface ImportTarget {
  readonly projectId: string;
  readonly surveyId: string;
  readonly isBeside?: boolean | undefined;
  readonly redact?: boolean | undefined;
  /** Answers before this UTC day are not stored. */
  readonly completeFrom?: string | undefined;
}

export function createImportStore({ table, secrets, shards }: PersonDependencies) {
  async function readTidied(key: Key, now: number): Promise<Suppression | undefined> {
    const row = await table.get(key);
    const read = row && readSuppression(row);
    const superfluous = read && superfluousIn(read, now);
    if (superfluous !== undefined)
      await table.transact([{ update: key, change: removal(superfluous), when: all(PRESENT, NOT_ERASED) }]);
    return read;
  }

  return {
    /**
     * For an expired answer, only the suppression is stored.
     * @param now used if the line has no time
     */
    async store(
      { projectId, surveyId, isBeside = false, redact = false, completeFrom = '' }: ImportTarget,
      row: ImportedRow,
      now: number,
    ): Promise<ImportOutcome> {
      const secret = await secrets.hashSecret();
      const at = row.at ?? now;
      const ids = new Set<string>();
      if (row.respondentId !== undefined) ids.add(row.respondentId);
      if (row.email !== undefined) ids.add(importedRespondentId(secret, projectId, row.email));
      const [respondentId = ''] = ids;
      const hashes = [...ids].map((id) => respondentHash(secret, projectId, id));
      const [hash = '', ...others] = hashes;
      // The original line gives the id, because the redaction setting may have changed.
      const tokenId = importTokenId(secret, { projectId, surveyId, respondentId }, row);
      const { said, redacted } = redactAnswer(row, redact ? redactText : undefined);
      const response: Response = {
        kind: 'response',
        id: responseId(secret, projectId, { tokenId, respondentHash: hash }),
        tokenId,
        projectId,
        surveyId,
        respondentId,
        at: new Date(at).toISOString(),
        writeId: 'import',
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

export type ImportStore = ReturnType<typeof createImportStore>;
