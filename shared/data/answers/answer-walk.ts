import { respondentHash } from '../../crypto/derive.ts';
import type { Answer } from '../../domain/answers/answer.ts';
import type { Show } from '../../domain/answers/shows.ts';
import { type Days, isWithin } from '../../domain/days.ts';
import type { IsGoneAnswer } from '../../domain/gone-answers.ts';
import type { PurgeScope } from '../../domain/purge.ts';
import { readShows } from '../shows/show-store.ts';
import { chunk } from '../table/retry.ts';
import type { Row } from '../table/row.ts';
import {
  isOfPersonOrder,
  projectShardPartition,
  respondentPartition,
  surveyOfOrder,
  surveyPrefix,
  timeOfOrder,
} from '../table/schema.ts';
import type { IndexDependencies, PersonDependencies } from '../table/table.ts';
import { readAnswer } from './answer-item.ts';

export interface WalkPosition {
  readonly source: number;
  readonly after: string;
}

export interface WalkStep {
  /** Undefined if the row was deleted or is not one of the wanted answers. */
  readonly answer: Answer | undefined;
  readonly shows?: readonly Show[] | undefined;
  readonly position: WalkPosition;
}

export interface WalkedPerson {
  readonly projectId: string;
  readonly respondentIds: readonly string[];
  readonly surveyId?: string | undefined;
  readonly days?: Days | undefined;
  readonly isGone: IsGoneAnswer;
}

interface WalkedProject extends PurgeScope {
  readonly days?: Days | undefined;
  readonly isGone: IsGoneAnswer;
}

interface Passed {
  readonly row: Row | undefined;
  readonly after: string;
}

/** Five batches of 100 rows. */
const PAGE = 500;

export function createAnswerWalks({
  table,
  readIndex,
  secrets,
  shards,
}: PersonDependencies & IndexDependencies) {
  async function* walkPartition(partition: string, from: string | undefined): AsyncGenerator<Passed> {
    for (let after = from; ; ) {
      const { rows, last } = await table.page({ partition, after });
      for (const row of rows) yield { row, after: String(row.sk) };
      if (last === undefined) return;
      after = last;
    }
  }

  async function* walkShard(
    partition: string,
    prefix: string | undefined,
    from: string | undefined,
    ahead: number,
    isWanted: (surveyId: string, at: string) => boolean,
  ): AsyncGenerator<Passed> {
    for (let after = from; ; ) {
      const page = await readIndex({ index: 'byProject', partition, limit: PAGE, prefix, after });
      const entries = page.entries.filter(
        ({ order }, index) => order !== page.entries[index - 1]?.order && !isOfPersonOrder(order),
      );
      for (const next of chunk(entries, ahead)) {
        const wanted = next.filter(({ order }) => isWanted(surveyOfOrder(order), timeOfOrder(order)));
        const rows = await table.getMany(wanted.map(({ key }) => key));
        const rowByOrder = new Map(wanted.map(({ order }, index) => [order, rows[index]]));
        for (const { order } of next) yield { row: rowByOrder.get(order), after: order };
      }
      after = page.entries.at(-1)?.order;
      if (!page.more || after === undefined || isOfPersonOrder(after)) return;
    }
  }

  async function* answersIn(
    sources: readonly ((after: string | undefined) => AsyncIterable<Passed>)[],
    from: WalkPosition | undefined,
    { surveyId, days = {}, isGone }: Pick<WalkedPerson, 'surveyId' | 'days' | 'isGone'>,
  ): AsyncGenerator<WalkStep> {
    const isAsked = (of: string, at: string) =>
      (surveyId === undefined || of === surveyId) && isWithin(at, days);
    const isAskedShow = (show: Show) => isAsked(show.surveyId, new Date(show.at).toISOString());
    for (const [source, walk] of sources.entries()) {
      if (from !== undefined && source < from.source) continue;
      for await (const { row, after } of walk(source === from?.source ? from.after : undefined)) {
        const answer = row && readAnswer(row);
        const isWanted =
          answer !== undefined && isAsked(answer.surveyId, answer.at) && !isGone(answer.surveyId, answer.at);
        const shows = row?.type === 'shown' ? readShows(row).filter(isAskedShow) : undefined;
        yield { answer: isWanted ? answer : undefined, shows, position: { source, after } };
      }
    }
  }

  async function partitionsOf(projectId: string, respondentIds: readonly string[]): Promise<string[]> {
    const secret = await secrets.hashSecret();
    return respondentIds.map((id) => respondentPartition(projectId, respondentHash(secret, projectId, id)));
  }

  return {
    /** Strongly consistent. */
    async *ofRespondents(person: WalkedPerson, from?: WalkPosition) {
      const partitions = await partitionsOf(person.projectId, person.respondentIds);
      yield* answersIn(
        partitions.map((partition) => (after) => walkPartition(partition, after)),
        from,
        person,
      );
    },

    /** Never yields a stale answer or one twice. A caller that stops early still pays for `ahead` rows. */
    ofProject(
      { projectId, surveyId, days = {}, isGone }: WalkedProject,
      from?: WalkPosition,
      ahead: number = PAGE,
    ) {
      const isWanted = (of: string, at: string) => isWithin(at, days) && !isGone(of, at);
      const prefix = surveyId === undefined ? undefined : surveyPrefix(surveyId);
      const partitions = Array.from({ length: shards }, (_, shard) =>
        projectShardPartition(projectId, shard),
      );
      return answersIn(
        partitions.map((partition) => (after) => walkShard(partition, prefix, after, ahead, isWanted)),
        from,
        { surveyId, days, isGone },
      );
    },

    async isKnown(projectId: string, respondentIds: readonly string[]): Promise<boolean> {
      const partitions = await partitionsOf(projectId, respondentIds);
      const pages = await Promise.all(partitions.map((partition) => table.page({ partition, limit: 1 })));
      return pages.some(({ rows }) => rows.length > 0);
    },
  };
}
