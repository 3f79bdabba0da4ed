/**
 * How retained suppression lies in the table: survey ids and moments of what was erased or folded, no personal data. Both
 * are sets, so that whoever adds at the same time unites. A survey id that we composed takes its 8 bytes, any other its text.
 */

import type { AnswerMoment } from '../../domain/erasure.ts';
import type { Item } from '../table/item.ts';
import { shardOf, suppressionKey, suppressionShardEntry, TABLE } from '../table/schema.ts';

const SUFFIX_DIGITS = 8;
const COMPOSED_ID = /^sv_[0-9a-f]{16}$/;

/** A moment as an element of the set `answerTimes`; the token's end keeps two answers of one millisecond apart. */
export function momentText({ at, tokenId }: AnswerMoment): string {
  return `${at}#${tokenId.slice(-SUFFIX_DIGITS)}`;
}

/** @returns milliseconds since the epoch, and what is left of the token id */
function momentOfText(text: string): AnswerMoment {
  const [at = '', tokenId = ''] = text.split('#');
  return { at: Number(at), tokenId };
}

export function suppressedSurveys({ surveys = [], surveyIds = [] }: Item): string[] {
  const composed = [...surveys].map((bytes: Uint8Array) => `sv_${Buffer.from(bytes).toString('hex')}`);
  return [...composed, ...surveyIds];
}

export function suppressedMoments({ answerTimes = [] }: Item): AnswerMoment[] {
  return [...answerTimes].map(momentOfText);
}

interface Suppressed {
  readonly surveyIds: readonly string[];
  readonly moments: readonly AnswerMoment[];
  /** Of an erasure, ISO 8601 UTC: from then on nothing is imported for this person. */
  readonly erasedAt?: string;
}

/** An update that adds to a respondent's retained suppression, making it where there is none. */
export function suppressionUpdate(
  place: { readonly projectId: string; readonly respondentHash: string; readonly shards: number },
  { surveyIds, moments, erasedAt }: Suppressed,
) {
  const { projectId, respondentHash, shards } = place;
  const { partitionKey, sortKey } = TABLE.indexes.byProject;
  const entry = suppressionShardEntry(projectId, shardOf(respondentHash, shards), respondentHash);
  const composed = surveyIds.filter((id) => COMPOSED_ID.test(id));
  const sets = Object.entries({
    surveys: new Map(composed.map((id) => [id, Buffer.from(id.slice(3), 'hex')])).values(),
    surveyIds: new Set(surveyIds.filter((id) => !COMPOSED_ID.test(id))),
    answerTimes: new Set(moments.map(momentText)),
  }).flatMap(([name, elements]): [string, Set<unknown>][] => {
    const set = new Set<unknown>(elements);
    return set.size === 0 ? [] : [[name, set]];
  });
  const added = sets.map(([name]) => `${name} :${name}`).join(', ');
  return {
    Key: suppressionKey(projectId, respondentHash),
    UpdateExpression: `SET #type = :type, #shard = :shard, #order = :order${erasedAt === undefined ? '' : ', erasedAt = :erasedAt'}${added && ` ADD ${added}`}`,
    ExpressionAttributeNames: { '#type': 'type', '#shard': partitionKey, '#order': sortKey },
    ExpressionAttributeValues: {
      ':type': 'suppression',
      ':shard': entry[partitionKey],
      ':order': entry[sortKey],
      ...(erasedAt !== undefined && { ':erasedAt': erasedAt }),
      ...Object.fromEntries(sets.map(([name, set]) => [`:${name}`, set])),
    },
  };
}

/** An update that takes moments out of a respondent's retained suppression. */
export function momentsRemoval(projectId: string, respondentHash: string, moments: readonly string[]) {
  return {
    Key: suppressionKey(projectId, respondentHash),
    UpdateExpression: 'DELETE answerTimes :outdated',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':outdated': new Set(moments) },
  };
}
