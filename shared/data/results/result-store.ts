/** Reading results, for what shows them: a span of days of a survey is one query, and one more for a segment. */

import type { DayCounts, SegmentCount } from '../../domain/results/results.ts';
import { dayOfResult, resultOrder, resultsPartition } from '../table/schema.ts';
import type { Table } from '../table/table.ts';
import { readDay, readSegmentDay } from './result-item.ts';

export interface ResultSpan {
  readonly projectId: string;
  readonly surveyId: string;
  readonly generation: number;
  /** `2026-11-20`, inclusive. */
  readonly from: string;
  /** Inclusive. */
  readonly to: string;
}

/** It writes nothing: results come from counting the stream and from recounts. */
export interface ResultStore {
  /** Days on which something was counted, in order. */
  days(span: ResultSpan): Promise<DayCounts[]>;
  /** All counts of a segment, by day, those of one day in no order. */
  segment(span: ResultSpan, name: string): Promise<SegmentCount[]>;
}

export function createResultStore(table: Table): ResultStore {
  const read = ({ projectId, surveyId, generation, from, to }: ResultSpan, segment?: string) =>
    table.query({
      partition: resultsPartition(projectId),
      from: resultOrder(surveyId, from, segment, generation),
      to: resultOrder(surveyId, to, segment, generation),
    });

  return {
    async days(span) {
      const rows = await read(span);
      return rows.map((row) => readDay(dayOfResult(String(row.sk)), row));
    },
    async segment(span, name) {
      return (await read(span, name)).flatMap(readSegmentDay);
    },
  };
}
