import { respondentHash } from '../../crypto/derive.ts';
import { responseId } from '../../crypto/ids.ts';
import type { Answer } from '../../domain/answers/answer.ts';
import { fieldsIn, tellFields } from '../../domain/answers/answer-fields.ts';
import { compareRevision, type Found, MOST_REVISIONS, type Revision } from '../../domain/answers/revision.ts';
import type { ScoreQueue } from '../../domain/scoring.ts';
import type { TimeLimits } from '../table/deadline.ts';
import { all, type Change, type Condition, equalTo, PRESENT } from '../table/expressions.ts';
import type { Row } from '../table/row.ts';
import {
  answerKey,
  contactShardEntry,
  scoreOrder,
  scoreShardPartition,
  shardOf,
  TABLE,
} from '../table/schema.ts';
import type { PersonDependencies } from '../table/table.ts';
import { isUnavailable } from '../table/unavailable.ts';
import {
  FORGETS,
  HAS_SCORE,
  isRevision,
  REMEMBERS,
  readAnswer,
  TRIED,
  UNTRIED,
  writeFields,
} from './answer-item.ts';
import { LOOK_UP_MS, lookUp } from './answer-store.ts';

export type RevisionOutcome =
  | { readonly kind: 'stored'; readonly id: string; readonly at: string }
  | Exclude<Found, { readonly kind: 'next' | 'same' }>;

const INDEX = TABLE.indexes.byScoreState;
const CONTACTS = TABLE.indexes.byContact;

const IS_RESPONSE: Condition = { text: '#type = :response', values: { response: 'response' } };

type Place = Pick<Answer, 'id' | 'surveyId' | 'at'>;

interface Way {
  readonly change: Change;
  readonly when: Condition;
}

export function createRevisionStore({
  table,
  secrets,
  shards,
  lookUpDeadlineMs = LOOK_UP_MS,
}: PersonDependencies & Pick<TimeLimits, 'lookUpDeadlineMs'>) {
  /** A score that was delivered before its order was stored uses the time of the revision. */
  function scoreChange({ projectId, tokenId, revisedAt }: Revision, id: string, queue?: ScoreQueue): Change {
    if (queue === undefined)
      return { set: { scoreState: 'pending' }, remove: [INDEX.partitionKey, 'lastError'] };
    const partition = scoreShardPartition(projectId, queue, shardOf(tokenId, shards));
    return {
      set: { scoreState: 'pending', [INDEX.partitionKey]: partition },
      setOnce: { [INDEX.sortKey]: scoreOrder({ at: revisedAt, id }) },
      remove: ['lastError'],
    };
  }

  /** @param wishing the place of an answer that requests contact from this revision on */
  function listWays(revision: Revision, id: string, wishing?: Place): readonly Way[] {
    const { number, revisedAt, words, isLinked, isUnscored, projectId, tokenId, tokenExpiresAt } = revision;
    const isOwn = tokenExpiresAt === undefined ? PRESENT : equalTo({ tokenExpiresAt });
    const isNext = all(IS_RESPONSE, isOwn, isRevision(number - 1));
    const shard = shardOf(tokenId, shards);
    const contactChange: Change =
      wishing === undefined
        ? { remove: ['handled', CONTACTS.partitionKey, CONTACTS.sortKey] }
        : { set: contactShardEntry(projectId, 'open', shard, wishing), remove: ['handled'] };
    const wordsChange: Change =
      words === undefined
        ? {
            set: { revision: number, revisedAt, withdrawn: true },
            remove: fieldsIn('removed'),
          }
        : {
            set: {
              revision: number,
              revisedAt,
              withdrawn: null,
              ...tellFields('revision', writeFields(fieldsIn('revision'), words, number)),
            },
          };
    const way = (score: Change, ...conditions: readonly Condition[]): Way => ({
      change: {
        set: { ...wordsChange.set, ...contactChange.set, ...score.set },
        setOnce: score.setOnce,
        remove: [...(wordsChange.remove ?? []), ...(contactChange.remove ?? []), ...(score.remove ?? [])],
      },
      when: all(isNext, ...conditions),
    });
    const unlinked = way({});
    if (!isLinked || (isUnscored && words !== undefined)) return [unlinked];
    if (isUnscored) return [way(scoreChange(revision, id, 'withdrawn'), HAS_SCORE, TRIED), unlinked];
    if (words !== undefined) {
      const waiting = scoreChange(revision, id, 'pending');
      const marked = { ...waiting, set: { ...waiting.set, triedAt: revisedAt } };
      return [way(waiting, REMEMBERS), way(marked, FORGETS)];
    }
    // Scores are pushed within seconds, so the first way usually applies.
    return [way(scoreChange(revision, id, 'withdrawn'), TRIED), way(scoreChange(revision, id), UNTRIED)];
  }

  const readFound = (row: Row | undefined, revision: Revision): Found =>
    compareRevision(row && readAnswer(row), revision);

  return {
    /**
     * Repeating a stored revision succeeds, because the first reply may have been lost.
     * @throws if the table does not respond; the revision is then assumed not to be stored
     */
    async revise(revision: Revision): Promise<RevisionOutcome> {
      const { projectId, tokenId, revisedAt } = revision;
      const secret = await secrets.hashSecret();
      const hash = respondentHash(secret, projectId, revision.respondentId);
      const id = responseId(secret, projectId, { tokenId, respondentHash: hash });
      const key = answerKey(projectId, hash, tokenId);

      async function look(): Promise<{ readonly row: Row | undefined; readonly found: Found }> {
        const { rows } = await table.page({ partition: key.pk, from: key.sk, to: key.sk });
        return { row: rows[0], found: readFound(rows[0], revision) };
      }

      async function write(ways: readonly Way[]): Promise<RevisionOutcome> {
        // The note of a push is never removed, so a second round is enough.
        for (const { change, when } of [...ways, ...ways]) {
          const written = await table.update(key, change, when);
          if (written.done) return { kind: 'stored', id, at: revisedAt };
          const found = readFound(written.found, revision);
          if (found.kind === 'same') return { ...found, kind: 'stored' };
          if (found.kind !== 'next') return found;
        }
        throw new Error('the row kept changing while it was revised');
      }

      const isWish = revision.words?.followUpRequested === true;
      let wishing: Place | undefined;
      // Only the row has the time by which the contact index is ordered.
      if (isWish || revision.number > MOST_REVISIONS) {
        const { row, found } = await look();
        if (found.kind === 'same') return { ...found, kind: 'stored' };
        if (found.kind !== 'next') return found;
        wishing = isWish ? row && readAnswer(row) : undefined;
      }
      try {
        return await write(listWays(revision, id, wishing));
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        const found = readFound(await lookUp(table, key, lookUpDeadlineMs), revision);
        if (found.kind !== 'same') throw error;
        return { ...found, kind: 'stored' };
      }
    },
  };
}
