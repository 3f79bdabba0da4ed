/**
 * A recount builds a new generation while the current one is shown and answers are stored and erased (decision 82). The
 * old generation is deleted once no reader uses it.
 */

import { SECOND } from '../../domain/duration.ts';
import {
  beginGeneration,
  copyGeneration,
  dropGenerations,
  type Generation,
  type Generations,
  showGeneration,
} from '../../domain/results/generation.ts';
import { completeFromOf } from '../../domain/retention.ts';
import type { Segment } from '../../domain/surveys/segments.ts';
import { readProject, readSurvey, readSurveyTotal } from '../projects/project-item.ts';
import { equalTo } from '../table/expressions.ts';
import { chunk } from '../table/retry.ts';
import { keyOf, type Row } from '../table/row.ts';
import {
  answeredAttribute,
  dayOfResult,
  projectKey,
  resultGeneration,
  resultOrder,
  resultPrefixes,
  resultsPartition,
  surveyKey,
  surveyTotalKey,
  TABLE,
} from '../table/schema.ts';
import {
  type IndexDependencies,
  ITEMS_PER_TRANSACTION,
  type StoreDependencies,
  type Table,
  type Write,
} from '../table/table.ts';
import { countedBy } from './count-store.ts';
import { copyDays, createRowCount, RecountEnded, type RecountTarget, recountEnd } from './recount-steps.ts';

export interface Recount {
  readonly generation: Generation;
  /**
   * Call this once the index includes everything that was stored before the generation began.
   * @param onProgress receives the share of shards, from 0 to 1, and the rows counted
   */
  countRows(onProgress: (done: number, rows: number) => void): Promise<void>;
  /** @returns the number of responses in the results */
  show(): Promise<{ readonly before: number; readonly after: number }>;
  /** Call this once no reader uses the old generation. */
  finish(): Promise<void>;
}

interface OfSurvey {
  readonly projectId: string;
  readonly surveyId: string;
}

interface RecountedSurvey extends OfSurvey {
  readonly segments: readonly Segment[];
}

const LEAD_MS = SECOND;

export function createRecounts({
  table,
  clock,
  readIndex,
  shards,
}: IndexDependencies & Pick<StoreDependencies, 'clock'>) {
  async function change(
    { projectId, surveyId }: OfSurvey,
    make: (generations: Generations) => Generations,
    version?: number,
  ) {
    const key = surveyTotalKey(projectId, surveyId);
    for (;;) {
      const row = await table.get(key);
      if (row === undefined) throw new RecountEnded('purged');
      const total = readSurveyTotal(row);
      if (version !== undefined && total.generations.version !== version) throw new RecountEnded('overtaken');
      const generations = make(total.generations);
      const isCounted = (number: number) => generations.counted.some((each) => each.number === number);
      const remove = total.generations.counted
        .filter(({ number }) => !isCounted(number))
        .map(({ number }) => answeredAttribute(number));
      const when = countedBy(total.generations.version);
      const written = await table.update(key, { set: { generations }, remove }, when);
      if (written.done) return { total, generations };
    }
  }

  async function completeFromNow({ projectId, surveyId }: OfSurvey): Promise<string> {
    const now = clock();
    const [project, survey] = await table.getMany([projectKey(projectId), surveyKey(projectId, surveyId)]);
    if (project === undefined || survey === undefined) throw new RecountEnded('purged');
    return completeFromOf([readProject(project).retention, readSurvey(survey).retention], now);
  }

  async function copyGone(
    target: RecountTarget,
  ): Promise<{ readonly version: number; readonly day: string }> {
    const { version } = target.counting.generations;
    const day = await completeFromNow(target);
    if (day === '') return { version, day };
    const { number } = target.generation;
    const { generations } = await change(target, (each) => copyGeneration(each, number, day), version);
    await copyDays(table, target, day, generations.version);
    return { version: generations.version, day };
  }

  async function deleteOthers({ projectId, surveyId }: RecountTarget, { shown, version }: Generations) {
    const attributes = [TABLE.partitionKey, TABLE.sortKey];
    for (const prefix of resultPrefixes(surveyId)) {
      const rows = await table.query({ partition: resultsPartition(projectId), prefix, attributes });
      // A later recount has a higher number.
      const isOther = (number: number) => number !== shown && number < version;
      await table.deleteMany(rows.map(keyOf).filter(({ sk }) => isOther(resultGeneration(sk))));
    }
  }

  /** Begins the generation before any answer exists that counts in it by time. */
  async function beginInTime(survey: OfSurvey, skewMs: number) {
    for (;;) {
      const at = clock() + skewMs + LEAD_MS;
      const since = new Date(at).toISOString();
      const { generations } = await change(survey, (before) => beginGeneration(before, since));
      if (clock() + skewMs < at) return { generations, generation: { number: generations.version, since } };
    }
  }

  return {
    /**
     * Discards an unfinished generation. Every step throws `RecountEnded` when the survey is purged or another recount
     * has begun.
     * @param skewMs how far another clock may be ahead of this one
     */
    async begin({ segments, ...survey }: RecountedSurvey, skewMs: number): Promise<Recount> {
      const { generations, generation } = await beginInTime(survey, skewMs);
      const completeFrom = await completeFromNow(survey);
      const target: RecountTarget = {
        ...survey,
        generation,
        counting: { segments, generations },
        completeFrom,
      };
      let { version } = generations;
      const rows = createRowCount({ table, readIndex, shards });
      return {
        generation,
        countRows: (onProgress) => rows.count(target, onProgress),
        async show() {
          const copied = await copyGone(target);
          await copyShows(table, target, copied);
          const { number } = generation;
          const { total, ...after } = await change(
            target,
            (each) => showGeneration(each, number),
            copied.version,
          );
          version = after.generations.version;
          return { before: total.answeredIn(total.generations.shown), after: total.answeredIn(number) };
        },
        async finish() {
          const after = await change(target, dropGenerations, version);
          await deleteOthers(target, after.generations);
        },
      };
    },
  };
}

/** The survey may still be shown on these days. */
const MOST_ATTEMPTS = 20;
const DAYS_AT_ONCE = ITEMS_PER_TRANSACTION / 2 - 1;

/** @param day shows of earlier days are already copied */
async function copyShows(
  table: Table,
  target: RecountTarget,
  { version, day }: { readonly version: number; readonly day: string },
): Promise<void> {
  const { projectId, surveyId, generation, counting } = target;
  const partition = resultsPartition(projectId);
  const [prefix] = resultPrefixes(surveyId, counting.generations.shown);

  function writesOf({ sk, shows }: Row): Write[] {
    const copy = resultOrder(surveyId, dayOfResult(String(sk)), undefined, generation.number);
    return [
      { check: { pk: partition, sk: String(sk) }, when: equalTo({ shows }) },
      { update: { pk: partition, sk: copy }, change: { set: { type: 'result', shows } } },
    ];
  }

  async function copyDays(rows: readonly Row[]): Promise<boolean> {
    const total = surveyTotalKey(projectId, surveyId);
    const when = countedBy(version);
    const written = await table.transact([{ check: total, when }, ...rows.flatMap(writesOf)]);
    if (written.done) return true;
    if (!written.failed.has(0)) return false;
    throw await recountEnd(table, target);
  }

  const copied = new Set<unknown>();
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const rows = await table.query({ partition, prefix });
    const isLeft = ({ sk, shows }: Row): boolean =>
      shows !== undefined && !copied.has(sk) && dayOfResult(String(sk)) >= day;
    const left = rows.filter(isLeft);
    if (left.length === 0) return;
    for (const batch of chunk(left, DAYS_AT_ONCE)) {
      if (await copyDays(batch)) for (const { sk } of batch) copied.add(sk);
    }
  }
  throw new Error('shows kept changing while they were copied');
}
