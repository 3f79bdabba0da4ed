/**
 * The main table: every key string, its indexes, and nothing else. Infrastructure and the local emulator create the
 * table from `TABLE`; stores build keys from the functions below. The other table, the log of erasures, has its keys in
 * erasure-log-schema.ts. No SDK here.
 */

import type { ContactState } from '../../domain/answers/contact.ts';
import type { PurgeScope } from '../../domain/purge.ts';
import { SCORE_QUEUES, type ScoreQueue } from '../../domain/scoring.ts';
import { CHANGES_KEPT } from '../../domain/surveys/survey-change.ts';

export const TABLE = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Seconds since the epoch; DynamoDB deletes the item some time after. */
  timeToLive: 'ttl',
  stream: 'NEW_AND_OLD_IMAGES',
  /** They hold keys only: one write unit each, whatever an answer's length. A stack update makes one at most. */
  indexes: {
    byProject: { name: 'by_project', partitionKey: 'projectShard', sortKey: 'projectOrder' },
    byScoreState: { name: 'by_score_state', partitionKey: 'scoreShard', sortKey: 'scoreOrder' },
    byContact: { name: 'by_contact', partitionKey: 'contactShard', sortKey: 'contactOrder' },
  },
} as const;

/**
 * Shards of each index per project. One partition takes 1,000 write units a second, so this many thousand answers a
 * second fit one project. It may be raised on a live table, never lowered: readers walk shards 0 to count - 1.
 */
export const DEFAULT_INDEX_SHARDS = 16;

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** The partition of everything a request needs to know of its project. */
export const settingsPartition = (projectId: string): string => `P#${projectId}`;

export const projectKey = (projectId: string): Key => ({ pk: settingsPartition(projectId), sk: 'PROJECT' });

export const accessKeyKey = (projectId: string, hash: string): Key => ({
  pk: settingsPartition(projectId),
  sk: `KEY#${hash}`,
});

/** Holds an identity secret, of which a project has two at most. */
export const identitySlotKey = (projectId: string, slot: 0 | 1): Key => ({
  pk: settingsPartition(projectId),
  sk: `IDENTITY#${slot}`,
});

export const surveyKey = (projectId: string, surveyId: string): Key => ({
  pk: settingsPartition(projectId),
  sk: `SURVEY#${surveyId}`,
});

export const surveyTotalKey = (projectId: string, surveyId: string): Key => ({
  pk: settingsPartition(projectId),
  sk: `TOTAL#SURVEY#${surveyId}`,
});

/** One item a project, one attribute a month: it exists from the project's creation, so counting creates nothing. */
export const projectTotalKey = (projectId: string): Key => ({
  pk: settingsPartition(projectId),
  sk: 'TOTAL#PROJECT',
});

/** The attribute of a project's totals that counts a UTC month, `2026-11`. */
export const monthAttribute = (month: string): string => `month:${month}`;

/** The month an attribute of a project's totals counts, or undefined when it counts none. */
export const monthOfAttribute = (attribute: string): string | undefined =>
  attribute.startsWith('month:') ? attribute.slice('month:'.length) : undefined;

/** The partition of one respondent: answers, tombstones, shows and the retained suppression. */
export const respondentPartition = (projectId: string, respondentHash: string): string =>
  `P#${projectId}#R#${respondentHash}`;

export const answerKey = (projectId: string, respondentHash: string, tokenId: string): Key => ({
  pk: respondentPartition(projectId, respondentHash),
  sk: `ANSWER#${tokenId}`,
});

/** Whose partition it is, or undefined when it is no respondent's. */
export function respondentOfPartition(pk: string): { projectId: string; respondentHash: string } | undefined {
  const [, projectId, respondentHash] = /^P#([^#]+)#R#([^#]+)$/.exec(pk) ?? [];
  return projectId === undefined || respondentHash === undefined ? undefined : { projectId, respondentHash };
}

const ISSUE_TIME_DIGITS = 12;

/**
 * The first moment of a token. Imported answers, which never had one, lie before it, and so do answers to an
 * observation, whose token ids say nothing of time: what reads a history begins here.
 */
export const FIRST_ISSUED = 1;

/** Sorts before every answer whose token was issued at this moment or later, and behind all others. */
export const answersIssuedFrom = (issuedAt: number): string =>
  `ANSWER#${issuedAt.toString(16).padStart(ISSUE_TIME_DIGITS, '0')}`;

/** The token id in an answer's sort key. */
export const tokenIdOfAnswer = (sk: string): string => sk.slice('ANSWER#'.length);

/** When the token of an answer's sort key was issued, milliseconds. */
export const issueTimeOfAnswer = (sk: string): number =>
  Number.parseInt(tokenIdOfAnswer(sk).slice(0, ISSUE_TIME_DIGITS), 16);

export const suppressionKey = (projectId: string, respondentHash: string): Key => ({
  pk: respondentPartition(projectId, respondentHash),
  sk: 'SUPPRESSION',
});

/** Shows of surveys to a respondent: behind all answers, before the retained suppression. */
export const shownKey = (projectId: string, respondentHash: string): Key => ({
  pk: respondentPartition(projectId, respondentHash),
  sk: 'SHOWN',
});

/** Lists projects without a scan: the project item alone carries it. */
export const projectListEntry = (projectId: string): Record<string, string> => ({
  [TABLE.indexes.byProject.partitionKey]: 'PROJECTS',
  [TABLE.indexes.byProject.sortKey]: projectId,
});

export const PROJECT_LIST_PARTITION = 'PROJECTS';

/** Who runs a scheduled job of the deployment now; of no project, so out of every purge's way. */
export const runLeaseKey = (job: string): Key => ({ pk: `LEASE#${job}`, sk: 'LEASE' });

/** The job of pushing a project's scores. */
export const scorePushJob = (projectId: string): string => `push-scores#${projectId}`;

const WITHDRAWALS = 'WITHDRAWALS#';

/** Scores to be deleted at their destinations; of no project, so that they outlive it. */
export const withdrawalPartition = (shard: number): string => `${WITHDRAWALS}${shard}`;

/** Their partitions, as a pattern. */
export const WITHDRAWAL_PARTITIONS = `${WITHDRAWALS}*`;

/** What the withdrawals of a project begin with, in each shard. */
export const withdrawalPrefix = (projectId: string): string => `${projectId}#`;

export const withdrawalKey = (projectId: string, shard: number, id: string): Key => ({
  pk: withdrawalPartition(shard),
  sk: `${withdrawalPrefix(projectId)}${id}`,
});

/** Which shard of each index a row belongs to, from the random end of its token id (hex). */
export const shardOf = (tokenId: string, shards: number): number =>
  Number.parseInt(tokenId.slice(-8), 16) % shards;

export const projectShardPartition = (projectId: string, shard: number): string => `P#${projectId}#${shard}`;

/** Rows of one survey are a prefix of each shard. */
export const surveyPrefix = (surveyId: string): string => `${surveyId}#`;

export const projectShardEntry = (
  projectId: string,
  shard: number,
  row: { readonly surveyId: string; readonly at: string; readonly id: string },
): Record<string, string> => ({
  [TABLE.indexes.byProject.partitionKey]: projectShardPartition(projectId, shard),
  [TABLE.indexes.byProject.sortKey]: `${surveyPrefix(row.surveyId)}${row.at}#${row.id}`,
});

/** The survey of an order in the project's index. */
export const surveyOfOrder = (order: string): string => order.split('#')[0] ?? '';

/** When an answer was given, by its order in the project's index; ISO 8601 UTC. */
export const timeOfOrder = (order: string): string => order.split('#')[1] ?? '';

/** What is of a person and of no survey sorts behind every survey. */
const OF_PERSON = '~';

/** Of an order its survey and time, or that it is a person's: its id is left out, for what is kept of how far somebody is. */
export const withoutId = (order: string): string =>
  isOfPersonOrder(order) ? order.slice(0, 1) : order.slice(0, order.lastIndexOf('#'));

/** What the orders of shows in the project's index begin with. */
export const SHOWN_PREFIX = `${OF_PERSON}SHOWN#`;

/** Whether an order of the project's index is that of shows, or of retained suppression. */
export const isOfPersonOrder = (order: string): boolean => order.startsWith(OF_PERSON);

const personShardEntry = (
  projectId: string,
  shards: number,
  respondentHash: string,
  prefix: string,
): Record<string, string> => ({
  [TABLE.indexes.byProject.partitionKey]: projectShardPartition(projectId, shardOf(respondentHash, shards)),
  [TABLE.indexes.byProject.sortKey]: `${prefix}${respondentHash}`,
});

export const suppressionShardEntry = (
  projectId: string,
  shards: number,
  respondentHash: string,
): Record<string, string> => personShardEntry(projectId, shards, respondentHash, `${OF_PERSON}SUPPRESSION#`);

export const shownShardEntry = (
  projectId: string,
  shards: number,
  respondentHash: string,
): Record<string, string> => personShardEntry(projectId, shards, respondentHash, SHOWN_PREFIX);

export const scoreShardPartition = (projectId: string, queue: ScoreQueue, shard: number): string =>
  `P#${projectId}#${queue}#${shard}`;

/** All partitions of a shard in which scores may wait. */
export const scoreShardPartitions = (projectId: string, shard: number): readonly string[] =>
  SCORE_QUEUES.map((queue) => scoreShardPartition(projectId, queue, shard));

/**
 * The place of a row in a sweep of open scores, in any shard and queue: time, then id. A row keeps it when its score no
 * longer waits, for the score may come to wait again.
 */
export const scoreOrder = (row: { readonly at: string; readonly id: string }): string =>
  `${row.at}#${row.id}`;

/** Linked responses whose score waits, oldest first within a shard. */
export const scoreShardEntry = (
  projectId: string,
  queue: ScoreQueue,
  shard: number,
  row: { readonly at: string; readonly id: string },
): Record<string, string> => ({
  [TABLE.indexes.byScoreState.partitionKey]: scoreShardPartition(projectId, queue, shard),
  [TABLE.indexes.byScoreState.sortKey]: scoreOrder(row),
});

export const contactShardPartition = (projectId: string, state: ContactState, shard: number): string =>
  `P#${projectId}#${state}#${shard}`;

/** The survey of an order among the people who asked to be contacted. */
export const surveyOfContact = (order: string): string => order.split('#')[1] ?? '';

/** When somebody asked to be contacted, by their order; ISO 8601 UTC. */
export const timeOfContact = (order: string): string => order.split('#')[0] ?? '';

/** Responses that ask to be contacted, by when they were given. */
export const contactShardEntry = (
  projectId: string,
  state: ContactState,
  shard: number,
  row: { readonly surveyId: string; readonly at: string; readonly id: string },
): Record<string, string> => ({
  [TABLE.indexes.byContact.partitionKey]: contactShardPartition(projectId, state, shard),
  [TABLE.indexes.byContact.sortKey]: `${row.at}#${row.surveyId}#${row.id}`,
});

/** Rate leases of one access key, by its hash; or, under `ADDRESSES`, those of all source addresses of a project. */
export const rateLeasePartition = (projectId: string, name: string): string => `P#${projectId}#RATE#${name}`;

/** @param of what is counted apart from all other requests */
export const keyLeaseKey = (projectId: string, keyHash: string, of?: string): Key => ({
  pk: rateLeasePartition(projectId, keyHash),
  sk: of === undefined ? 'LEASE' : `LEASE#${of}`,
});

/** On which day a key was last used: in the partition of its leases, to which alone requests may write freely. */
export const keyUseKey = (projectId: string, keyHash: string): Key => ({
  pk: rateLeasePartition(projectId, keyHash),
  sk: 'USE',
});

export const ADDRESS_LEASES = 'ADDRESSES';

/** In place of a key's hash: answers by link come without a key. */
export const LINK_LEASES = 'links';

/** @param of what is counted apart from all other requests */
export const addressLeaseKey = (projectId: string, addressHash: string, of?: string): Key => ({
  pk: rateLeasePartition(projectId, ADDRESS_LEASES),
  sk: of === undefined ? addressHash : `${addressHash}#${of}`,
});

const FOLD_REQUESTS = 'FOLDS';

/** Requests to fold histories, in a partition to which requests may write freely. */
export const foldRequestPartition = (projectId: string): string =>
  rateLeasePartition(projectId, FOLD_REQUESTS);

/** @param minute since the epoch */
export const foldRequestKey = (projectId: string, respondentHash: string, minute: number): Key => ({
  pk: foldRequestPartition(projectId),
  sk: `${respondentHash}#${minute}`,
});

const SWEEPS = 'SWEEPS';

export const sweepPartition = (projectId: string): string => rateLeasePartition(projectId, SWEEPS);

/** How far the sweep of a project's contacts is: apart from what requests read, and gone with the account. */
export const contactSweepKey = (projectId: string): Key => ({
  pk: sweepPartition(projectId),
  sk: 'CONTACTS',
});

/** How far the sweep of a project's expired answers is. */
export const expirySweepKey = (projectId: string): Key => ({
  pk: sweepPartition(projectId),
  sk: 'EXPIRY',
});

/** Up to which day of each survey it was told that answers expired. */
export const expiryToldKey = (projectId: string): Key => ({
  pk: sweepPartition(projectId),
  sk: 'EXPIRY#TOLD',
});

/** Drafts to be tried: apart from what every request reads, and gone with the account. */
export const draftPartition = (projectId: string): string => `P#${projectId}#DRAFTS`;

export const draftKey = (projectId: string, draftId: string): Key => ({
  pk: draftPartition(projectId),
  sk: draftId,
});

export const PURGES_PARTITION = 'PURGES';

/**
 * A purge's progress and record, outside the project's partitions: it is what an account purge leaves. Survey id and
 * respondent are absent for an account purge. A project's purges are the sort keys that begin with its prefix.
 */
export const purgeKey = ({ projectId, surveyId = '', respondentHash }: PurgeScope): Key => ({
  pk: PURGES_PARTITION,
  sk: `${purgePrefix(projectId)}${respondentHash === undefined ? surveyId : `R#${respondentHash}`}`,
});

const purgePrefix = (projectId: string): string => `${projectId}#`;

const COUNTED = 'COUNTED#';

/** That a record of the stream has been counted; of no project, and without anything of one. */
export const countedRecordKey = (record: string): Key => ({ pk: `${COUNTED}${record}`, sk: 'RECORD' });

/** Their partitions, as a pattern. */
export const COUNTED_PARTITIONS = `${COUNTED}*`;

/** All results of a project: a purge of the account finds them when the definitions are gone. */
export const resultsPartition = (projectId: string): string => `P#${projectId}#RESULTS`;

/** What the keys of changes of surveys begin with; ids of surveys begin otherwise. */
export const SURVEY_CHANGES = 'CHANGE#';

/**
 * As many slots as changes are kept: the newest takes the oldest one's. They lie with the results, which only people read
 * and which a purge of the account empties.
 */
export const surveyChangeKey = (projectId: string, revision: number): Key => ({
  pk: resultsPartition(projectId),
  sk: `${SURVEY_CHANGES}${revision % CHANGES_KEPT}`,
});

/** What all results of a survey begin with, or those of one of their generations. */
export function resultPrefixes(surveyId: string, generation?: number): readonly string[] {
  const first = ['#', '~'].map((mark) => `${surveyId}${mark}`);
  if (generation === undefined) return [...first, `${surveyId}!`];
  return generation === 0 ? first : ['#', '~'].map((mark) => `${surveyId}!${generation}${mark}`);
}

/**
 * Where the results of a survey, or of one of its segments, lie on a UTC day, `2026-11-20`.
 * @param generation 0 for the first, which has no name of its own
 */
export function resultOrder(surveyId: string, day: string, segment?: string, generation = 0): string {
  const of = generation === 0 ? surveyId : `${surveyId}!${generation}`;
  return segment === undefined ? `${of}#${day}` : `${of}~${segment}#${day}`;
}

/** The generation of a result, by its sort key. */
export const resultGeneration = (sk: string): number => Number(/^[^#~!]+!(\d+)/.exec(sk)?.[1] ?? 0);

/** The attribute of a survey's total that counts the responses in a generation of its results. */
export const answeredAttribute = (generation: number): string =>
  generation === 0 ? 'answered' : `answered:${generation}`;

/** The day of a result's sort key. */
export const dayOfResult = (sk: string): string => sk.slice(sk.lastIndexOf('#') + 1);
