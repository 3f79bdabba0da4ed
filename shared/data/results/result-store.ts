/** Counters have short names, so that one query can read a year of days. */

import {
  DAY_COUNTERS,
  REACHED,
  type ResultCounter,
  VALUE_COUNTERS,
  type ValueCounter,
} from '../../domain/results/contribution.ts';
import type { QuestionDay } from '../../domain/results/question-results.ts';
import type { DayCounts } from '../../domain/results/results.ts';
import type { SegmentDay } from '../../domain/results/value-results.ts';
import type { ValuePlace } from '../../domain/surveys/segments.ts';
import type { Row } from '../table/row.ts';
import { dayOfResult, resultOrder, resultsPartition } from '../table/schema.ts';
import type { Table } from '../table/table.ts';

const RATING = /^r(\d+)$/;
const REASON = /^w(\d+)$/;

export const isOfRating = (name: string): boolean => RATING.test(name);

/** At most 60 values; `OTHER` and `NONE` follow. */
const PLACES = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx';
const OTHER = 'y';
const NONE = 'z';
/** One character each, so that a segment's counter has two. */
const RATINGS = '0123456789X';
/**
 * Counters of comments and contact requests, alternating by value. The first 29 values, `OTHER` and `NONE` have names
 * of one character. Later values have two, of which this is the first.
 */
const SAID = `${PLACES}${OTHER}${NONE}`;
const SAID_LATER = ['c', 'f'];
/** Responses of a day whose comments and contact requests are counted by value. */
const BY_VALUE = 'by';

function placeCode(place: ValuePlace): string {
  if (place === 'other') return OTHER;
  return place === 'none' ? NONE : (PLACES[place] ?? OTHER);
}

function readPlace(code: string): ValuePlace {
  if (code === OTHER) return 'other';
  return code === NONE ? 'none' : PLACES.indexOf(code);
}

function nameSaid(counter: ValueCounter, place: ValuePlace): string {
  const nth = { none: 0, other: 1 }[place] ?? Number(place) + 2;
  const which = VALUE_COUNTERS.indexOf(counter);
  return SAID[nth * VALUE_COUNTERS.length + which] ?? `${SAID_LATER[which]}${placeCode(place)}`;
}

function readSaid(name: string): { readonly place: ValuePlace; readonly counter: ValueCounter } | undefined {
  const [first = '', code = ''] = name;
  const at = SAID.indexOf(first);
  const which = name.length === 1 ? at % VALUE_COUNTERS.length : SAID_LATER.indexOf(first);
  const counter = at === -1 ? undefined : VALUE_COUNTERS[which];
  if (counter === undefined || name.length > 2) return undefined;
  const nth = Math.floor(at / VALUE_COUNTERS.length);
  const place = (['none', 'other'] as const)[nth] ?? nth - 2;
  return { counter, place: name.length === 1 ? place : readPlace(code) };
}

/** Names an item beside those of segments, whose names start with a letter. */
const QUESTIONS = '?';

/** The names follow the question's number, as those of its choices or numbers do. */
const REACHED_NAMES = { answered: 'a', skipped: 's', notReached: 'n' } as const;

/** Undefined for the item of the day itself. */
export function itemOf(counter: ResultCounter): string | undefined {
  if ('question' in counter) return QUESTIONS;
  return 'segment' in counter ? counter.segment : undefined;
}

export function nameCounter(counter: ResultCounter): string {
  if ('reason' in counter) return `w${counter.reason}`;
  if ('question' in counter) {
    const { question } = counter;
    return `${question}${'value' in counter ? PLACES[counter.value] : REACHED_NAMES[counter.reached]}`;
  }
  if (!('segment' in counter)) return 'counter' in counter ? counter.counter : `r${counter.rating}`;
  if ('rating' in counter) return `${RATINGS[counter.rating] ?? 'X'}${placeCode(counter.place)}`;
  return 'place' in counter ? nameSaid(counter.counter, counter.place) : BY_VALUE;
}

function readNumbered(row: Row, pattern: RegExp): Map<number, number> {
  const counts = Object.entries(row).map(([name, count]) => [pattern.exec(name)?.[1], count] as const);
  return new Map(counts.flatMap(([nth, count]) => (nth === undefined ? [] : [[Number(nth), Number(count)]])));
}

function readDay(day: string, row: Row): DayCounts {
  const counters = DAY_COUNTERS.filter((name) => row[name] !== undefined);
  return {
    day,
    ratings: readNumbered(row, RATING),
    reasons: readNumbered(row, REASON),
    counters: new Map(counters.map((name) => [name, Number(row[name])])),
  };
}

function readSegmentDay(day: string, row: Row): SegmentDay {
  const counters = Object.entries(row);
  const ratings = counters.flatMap(([name, count]) => {
    const [rating = '', code = ''] = name;
    const isCounter = name.length === 2 && RATINGS.includes(rating);
    return isCounter
      ? [{ place: readPlace(code), rating: RATINGS.indexOf(rating), count: Number(count) }]
      : [];
  });
  const said = counters.flatMap(([name, count]) => {
    const counter = readSaid(name);
    return counter === undefined ? [] : [{ ...counter, count: Number(count) }];
  });
  return { day, ratings, said, byValue: Number(row[BY_VALUE] ?? 0) };
}

function readQuestionDay(day: string, row: Row): QuestionDay {
  const counts = Object.entries(row).flatMap(([name, count]) => {
    const [, question = '', code = ''] = /^(\d)(.)$/.exec(name) ?? [];
    const reached = REACHED.find((each) => REACHED_NAMES[each] === code);
    const of = reached ?? PLACES.indexOf(code);
    return code === '' ? [] : [{ question: Number(question), of, count: Number(count) }];
  });
  return { day, counts };
}

export interface ResultSpan {
  readonly projectId: string;
  readonly surveyId: string;
  readonly generation: number;
  /** `2026-11-20`, inclusive. */
  readonly from: string;
  readonly to: string;
}

export function createResultStore(table: Table) {
  async function read(
    { projectId, surveyId, generation, from, to }: ResultSpan,
    segment?: string,
    spend?: (units: number) => void,
  ): Promise<Row[]> {
    const range = {
      from: resultOrder(surveyId, from, segment, generation),
      to: resultOrder(surveyId, to, segment, generation),
    };
    return table.query({ partition: resultsPartition(projectId), ...range }, spend);
  }

  return {
    async days(span: ResultSpan, spend?: (units: number) => void): Promise<DayCounts[]> {
      const rows = await read(span, undefined, spend);
      return rows.map((row) => readDay(dayOfResult(String(row.sk)), row));
    },
    async segment(span: ResultSpan, name: string): Promise<SegmentDay[]> {
      const rows = await read(span, name);
      return rows.map((row) => readSegmentDay(dayOfResult(String(row.sk)), row));
    },
    async questions(span: ResultSpan): Promise<QuestionDay[]> {
      const rows = await read(span, QUESTIONS);
      return rows.map((row) => readQuestionDay(dayOfResult(String(row.sk)), row));
    },
  };
}

export type ResultStore = ReturnType<typeof createResultStore>;
