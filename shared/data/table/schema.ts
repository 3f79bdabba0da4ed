/** This file must not import the SDK. */

import type { ContactState } from '../../domain/answers/contact.ts';
import type { PurgeScope } from '../../domain/purge.ts';
import { SCORE_QUEUES, type ScoreQueue } from '../../domain/scoring.ts';
import { CHANGES_KEPT } from '../../domain/surveys/survey-change.ts';

export const TABLE = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Seconds since the epoch. */
  timeToLive: 'ttl',
  stream: 'NEW_AND_OLD_IMAGES',
  /** Keys only, so each costs one write unit. A stack update can create only one. */
  indexes: {
    byProject: { name: 'by_project', partitionKey: 'projectShard', sortKey: 'projectOrder' },
    byScoreState: { name: 'by_score_state', partitionKey: 'scoreShard', sortKey: 'scoreOrder' },
    byContact: { name: 'by_contact', partitionKey: 'contactShard', sortKey: 'contactOrder' },
  },
} as const;

/** A point-in-time restore of the main table does not affect this log. Each partition is a UTC month. */
export const ERASURE_LOG = { partitionKey: 'month', sortKey: 'order', timeToLive: 'ttl' } as const;

/** Limit of point-in-time recovery (DynamoDB) and of the stage's backups. */
export const MOST_RESTORED_DAYS = 35;

/**
 * One partition takes 1,000 writes a second. You may raise the number on a live table but never lower it, because
 * readers walk shards 0 to count - 1.
 */
export const DEFAULT_INDEX_SHARDS = 16;

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

const keyOf = (pk: string, sk: string): Key => ({ pk, sk });

interface OrderedRow {
  readonly surveyId: string;
  readonly at: string;
  readonly id: string;
}

type IndexEntry = Readonly<Record<string, string>>;

const entryIn = (index: keyof typeof TABLE.indexes, partition: string, order: string): IndexEntry => ({
  [TABLE.indexes[index].partitionKey]: partition,
  [TABLE.indexes[index].sortKey]: order,
});

export const settingsPartition = (projectId: string): string => `P#${projectId}`;

export const projectKey = (projectId: string): Key => keyOf(settingsPartition(projectId), 'PROJECT');

export const accessKeyKey = (projectId: string, hash: string): Key =>
  keyOf(settingsPartition(projectId), `KEY#${hash}`);

export const identitySlotKey = (projectId: string, slot: 0 | 1): Key =>
  keyOf(settingsPartition(projectId), `IDENTITY#${slot}`);

export const surveyKey = (projectId: string, surveyId: string): Key =>
  keyOf(settingsPartition(projectId), `SURVEY#${surveyId}`);

export const surveyTotalKey = (projectId: string, surveyId: string): Key =>
  keyOf(settingsPartition(projectId), `TOTAL#SURVEY#${surveyId}`);

/** Created with the project, so counting never creates it. */
export const projectTotalKey = (projectId: string): Key =>
  keyOf(settingsPartition(projectId), 'TOTAL#PROJECT');

export const monthAttribute = (month: string): string => `month:${month}`;

export const monthOfAttribute = (attribute: string): string | undefined =>
  attribute.startsWith('month:') ? attribute.slice('month:'.length) : undefined;

export const respondentPartition = (projectId: string, respondentHash: string): string =>
  `P#${projectId}#R#${respondentHash}`;

export const answerKey = (projectId: string, respondentHash: string, tokenId: string): Key =>
  keyOf(respondentPartition(projectId, respondentHash), `ANSWER#${tokenId}`);

export function respondentOfPartition(pk: string): { projectId: string; respondentHash: string } | undefined {
  const [, projectId, respondentHash] = /^P#([^#]+)#R#([^#]+)$/.exec(pk) ?? [];
  return projectId === undefined || respondentHash === undefined ? undefined : { projectId, respondentHash };
}

const ISSUE_TIME_DIGITS = 12;

/** Imported answers and answers to observations sort before it. */
export const FIRST_ISSUED = 1;

export const answersIssuedFrom = (issuedAt: number): string =>
  `ANSWER#${issuedAt.toString(16).padStart(ISSUE_TIME_DIGITS, '0')}`;

export const tokenIdOfAnswer = (sk: string): string => sk.slice('ANSWER#'.length);

/** Milliseconds. */
export const issueTimeOfAnswer = (sk: string): number =>
  Number.parseInt(tokenIdOfAnswer(sk).slice(0, ISSUE_TIME_DIGITS), 16);

export const suppressionKey = (projectId: string, respondentHash: string): Key =>
  keyOf(respondentPartition(projectId, respondentHash), 'SUPPRESSION');

/** Sorts after all answers and before the suppression. */
export const shownKey = (projectId: string, respondentHash: string): Key =>
  keyOf(respondentPartition(projectId, respondentHash), 'SHOWN');

/** With this index, listing projects needs no scan. */
export const projectListEntry = (projectId: string): IndexEntry =>
  entryIn('byProject', PROJECT_LIST_PARTITION, projectId);

export const PROJECT_LIST_PARTITION = 'PROJECTS';

/** These keys belong to no project, so purges do not delete them. */
export const runLeaseKey = (job: string): Key => keyOf(`LEASE#${job}`, 'LEASE');

export const scorePushJob = (projectId: string): string => `push-scores#${projectId}`;

const WITHDRAWALS = 'WITHDRAWALS#';

/** These partitions belong to no project, so they outlive it. */
export const withdrawalPartition = (shard: number): string => `${WITHDRAWALS}${shard}`;

export const WITHDRAWAL_PARTITIONS = `${WITHDRAWALS}*`;

export const withdrawalPrefix = (projectId: string): string => `${projectId}#`;

export const withdrawalKey = (projectId: string, shard: number, id: string): Key =>
  keyOf(withdrawalPartition(shard), `${withdrawalPrefix(projectId)}${id}`);

export const shardOf = (tokenId: string, shards: number): number =>
  Number.parseInt(tokenId.slice(-8), 16) % shards;

export const projectShardPartition = (projectId: string, shard: number): string => `P#${projectId}#${shard}`;

export const surveyPrefix = (surveyId: string): string => `${surveyId}#`;

export const projectShardEntry = (projectId: string, shard: number, row: OrderedRow): IndexEntry =>
  entryIn(
    'byProject',
    projectShardPartition(projectId, shard),
    `${surveyPrefix(row.surveyId)}${row.at}#${row.id}`,
  );

export const surveyOfOrder = (order: string): string => order.split('#')[0] ?? '';

export const timeOfOrder = (order: string): string => order.split('#')[1] ?? '';

/** Items of a person that belong to no survey sort after every survey. */
const OF_PERSON = '~';

export const withoutId = (order: string): string =>
  isOfPersonOrder(order) ? order.slice(0, 1) : order.slice(0, order.lastIndexOf('#'));

export const SHOWN_PREFIX = `${OF_PERSON}SHOWN#`;

export const isOfPersonOrder = (order: string): boolean => order.startsWith(OF_PERSON);

const personShardEntry = (
  projectId: string,
  shards: number,
  respondentHash: string,
  prefix: string,
): IndexEntry =>
  entryIn(
    'byProject',
    projectShardPartition(projectId, shardOf(respondentHash, shards)),
    `${prefix}${respondentHash}`,
  );

export const suppressionShardEntry = (
  projectId: string,
  shards: number,
  respondentHash: string,
): IndexEntry => personShardEntry(projectId, shards, respondentHash, `${OF_PERSON}SUPPRESSION#`);

export const shownShardEntry = (projectId: string, shards: number, respondentHash: string): IndexEntry =>
  personShardEntry(projectId, shards, respondentHash, SHOWN_PREFIX);

export const scoreShardPartition = (projectId: string, queue: ScoreQueue, shard: number): string =>
  `P#${projectId}#${queue}#${shard}`;

export const scoreShardPartitions = (projectId: string, shard: number): readonly string[] =>
  SCORE_QUEUES.map((queue) => scoreShardPartition(projectId, queue, shard));

/** The order is kept after delivery, because the score may become pending again. */
export const scoreOrder = (row: Pick<OrderedRow, 'at' | 'id'>): string => `${row.at}#${row.id}`;

export const scoreShardEntry = (
  projectId: string,
  queue: ScoreQueue,
  shard: number,
  row: Pick<OrderedRow, 'at' | 'id'>,
): IndexEntry => entryIn('byScoreState', scoreShardPartition(projectId, queue, shard), scoreOrder(row));

export const contactShardPartition = (projectId: string, state: ContactState, shard: number): string =>
  `P#${projectId}#${state}#${shard}`;

export const surveyOfContact = (order: string): string => order.split('#')[1] ?? '';

export const timeOfContact = (order: string): string => order.split('#')[0] ?? '';

export const contactShardEntry = (
  projectId: string,
  state: ContactState,
  shard: number,
  row: OrderedRow,
): IndexEntry =>
  entryIn('byContact', contactShardPartition(projectId, state, shard), `${row.at}#${row.surveyId}#${row.id}`);

/** @param name hash of an access key, or `ADDRESSES` */
export const rateLeasePartition = (projectId: string, name: string): string => `P#${projectId}#RATE#${name}`;

export const keyLeaseKey = (projectId: string, keyHash: string, of?: string): Key =>
  keyOf(rateLeasePartition(projectId, keyHash), of === undefined ? 'LEASE' : `LEASE#${of}`);

export const keyUseKey = (projectId: string, keyHash: string): Key =>
  keyOf(rateLeasePartition(projectId, keyHash), 'USE');

export const ADDRESS_LEASES = 'ADDRESSES';

export const LINK_LEASES = 'links';

export const addressLeaseKey = (projectId: string, addressHash: string, of?: string): Key =>
  keyOf(
    rateLeasePartition(projectId, ADDRESS_LEASES),
    of === undefined ? addressHash : `${addressHash}#${of}`,
  );

const FOLD_REQUESTS = 'FOLDS';

/** Requests may write freely to this partition. */
export const foldRequestPartition = (projectId: string): string =>
  rateLeasePartition(projectId, FOLD_REQUESTS);

/** @param minute minutes since the epoch */
export const foldRequestKey = (projectId: string, respondentHash: string, minute: number): Key =>
  keyOf(foldRequestPartition(projectId), `${respondentHash}#${minute}`);

const SWEEPS = 'SWEEPS';

export const sweepPartition = (projectId: string): string => rateLeasePartition(projectId, SWEEPS);

export const contactSweepKey = (projectId: string): Key => keyOf(sweepPartition(projectId), 'CONTACTS');

export const expirySweepKey = (projectId: string): Key => keyOf(sweepPartition(projectId), 'EXPIRY');

export const expiryToldKey = (projectId: string): Key => keyOf(sweepPartition(projectId), 'EXPIRY#TOLD');

export const draftPartition = (projectId: string): string => `P#${projectId}#DRAFTS`;

export const draftKey = (projectId: string, draftId: string): Key =>
  keyOf(draftPartition(projectId), draftId);

export const PURGES_PARTITION = 'PURGES';

/** The record outlives its project. All purges of a project share its prefix. */
export const purgeKey = ({ projectId, surveyId = '', respondentHash }: PurgeScope): Key =>
  keyOf(
    PURGES_PARTITION,
    `${purgePrefix(projectId)}${respondentHash === undefined ? surveyId : `R#${respondentHash}`}`,
  );

const purgePrefix = (projectId: string): string => `${projectId}#`;

const COUNTED = 'COUNTED#';

export const countedRecordKey = (record: string): Key => keyOf(`${COUNTED}${record}`, 'RECORD');

export const COUNTED_PARTITIONS = `${COUNTED}*`;

/** The project's purge finds results without the definitions. */
export const resultsPartition = (projectId: string): string => `P#${projectId}#RESULTS`;

/** Differs from the beginning of every survey id. */
export const SURVEY_CHANGES = 'CHANGE#';

export const surveyChangeKey = (projectId: string, revision: number): Key =>
  keyOf(resultsPartition(projectId), `${SURVEY_CHANGES}${revision % CHANGES_KEPT}`);

export function resultPrefixes(surveyId: string, generation?: number): readonly string[] {
  const first = ['#', '~'].map((mark) => `${surveyId}${mark}`);
  if (generation === undefined) return [...first, `${surveyId}!`];
  return generation === 0 ? first : ['#', '~'].map((mark) => `${surveyId}!${generation}${mark}`);
}

/** @param generation generation 0, the first, is not part of the name */
export function resultOrder(surveyId: string, day: string, segment?: string, generation = 0): string {
  const of = generation === 0 ? surveyId : `${surveyId}!${generation}`;
  return segment === undefined ? `${of}#${day}` : `${of}~${segment}#${day}`;
}

export const resultGeneration = (sk: string): number => Number(/^[^#~!]+!(\d+)/.exec(sk)?.[1] ?? 0);

export const answeredAttribute = (generation: number): string =>
  generation === 0 ? 'answered' : `answered:${generation}`;

export const dayOfResult = (sk: string): string => sk.slice(sk.lastIndexOf('#') + 1);
