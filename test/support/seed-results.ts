/** Results of every day of a span at their largest, stored past the consumer: for volume. */

import { nameCounter } from '../../shared/data/results/result-item.ts';
import { resultOrder, resultsPartition } from '../../shared/data/table/schema.ts';
import { cutSpan, type DaySpan } from '../../shared/domain/days.ts';
import { DAY_COUNTERS, type ResultCounter } from '../../shared/domain/results/contribution.ts';
import type { ValuePlace } from '../../shared/domain/surveys/segments.ts';
import type { TestTable } from './test-table.ts';

interface ResultSeed extends DaySpan {
  readonly projectId: string;
  readonly surveyId: string;
  /** Of the segment `plan`. */
  readonly values: number;
}

const COUNT = 1_234;
const RATINGS = Array.from({ length: 11 }, (_, rating) => rating);

export async function seedResults({ table }: TestTable, seed: ResultSeed): Promise<void> {
  const { projectId, surveyId, values, ...span } = seed;
  const places: ValuePlace[] = [...Array.from({ length: values }, (_, place) => place), 'other', 'none'];
  const countAll = (counters: readonly ResultCounter[]) =>
    Object.fromEntries(counters.map((counter) => [nameCounter(counter), COUNT]));
  const put = (day: string, segment: string | undefined, counters: readonly ResultCounter[]) =>
    table.put({
      pk: resultsPartition(projectId),
      sk: resultOrder(surveyId, day, segment),
      type: 'result',
      ...countAll(counters),
    });
  for (const { from: day } of cutSpan(span, 'day')) {
    await Promise.all([
      put(day, undefined, [
        ...RATINGS.map((rating) => ({ day, rating })),
        ...DAY_COUNTERS.map((counter) => ({ day, counter })),
      ]),
      put(
        day,
        'plan',
        places.flatMap((place) => RATINGS.map((rating) => ({ day, rating, segment: 'plan', place }))),
      ),
    ]);
  }
}
