/**
 * How results lie in the table, and reading them. An item a day of a survey, and one a day of each of its segments, of
 * counters alone, whose names are short where there are many: a year of them is one query, and one more for a segment.
 */

import { DAY_COUNTERS, type ResultCounter } from '../../domain/results/contribution.ts';
import type { DayCounts, SegmentCount } from '../../domain/results/results.ts';
import type { ValuePlace } from '../../domain/surveys/segments.ts';
import type { Row } from '../table/row.ts';
import { dayOfResult, resultOrder, resultsPartition } from '../table/schema.ts';
import type { Table } from '../table/table.ts';

const RATING = /^r(\d+)$/;

/** A value of a segment by its place, `OTHER` or `NONE`; 60 places, since values are at most so many. */
const PLACES = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx';
const OTHER = 'y';
const NONE = 'z';
/** Ratings of at most 10, so that a counter of a segment has two characters. */
const RATINGS = '0123456789X';

function placeCode(place: ValuePlace): string {
  if (place === 'other') return OTHER;
  return place === 'none' ? NONE : (PLACES[place] ?? OTHER);
}

function readPlace(code: string): ValuePlace {
  if (code === OTHER) return 'other';
  return code === NONE ? 'none' : PLACES.indexOf(code);
}

/** The attribute that counts it. */
export function nameCounter(counter: ResultCounter): string {
  if ('counter' in counter) return counter.counter;
  if (!('segment' in counter)) return `r${counter.rating}`;
  return `${RATINGS[counter.rating] ?? 'X'}${placeCode(counter.place)}`;
}

function readDay(day: string, row: Row): DayCounts {
  const ratings = new Map<number, number>();
  for (const [name, count] of Object.entries(row)) {
    const [, rating] = RATING.exec(name) ?? [];
    if (rating !== undefined) ratings.set(Number(rating), Number(count));
  }
  const counters = DAY_COUNTERS.filter((name) => row[name] !== undefined);
  return { day, ratings, counters: new Map(counters.map((name) => [name, Number(row[name])])) };
}

function readSegmentDay(row: Row): SegmentCount[] {
  return Object.entries(row).flatMap(([name, count]) => {
    const [rating = '', code = ''] = name;
    const isCounter = name.length === 2 && RATINGS.includes(rating);
    return isCounter
      ? [{ place: readPlace(code), rating: RATINGS.indexOf(rating), count: Number(count) }]
      : [];
  });
}

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
