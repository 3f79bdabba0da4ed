import { describe, expect, it } from 'vitest';
import { readTrend, trendChart, trendKey } from '../../../../pages/results/charts/trend-chart.ts';
import { getResults } from '../../../../shared/contract/examples/results-examples.ts';
import type { ResultsReply } from '../../../../shared/contract/results-schemas.ts';
import { cutSpan } from '../../../../shared/domain/days.ts';
import { computeScore } from '../../../../shared/domain/results/score.ts';

const span = (from: string, to: string) => ({ from, to });
const QUARTER = span('2026-08-28', '2026-11-25');
const MONTHS = cutSpan(QUARTER, 'month');
const FOUR_WEEKS = [
  span('2026-08-28', '2026-09-06'),
  span('2026-09-07', '2026-10-04'),
  span('2026-10-05', '2026-11-01'),
  span('2026-11-02', '2026-11-25'),
];

describe('the chart of the trend', () => {
  const { previous: _, ...example } = getResults.reply as ResultsReply;
  const [point] = example.series;
  const chartOf = (days: readonly { from: string; to: string }[]) =>
    trendChart({ ...example, series: point ? days.map((each) => ({ ...point, ...each })) : [] }).text;
  const wordsIn = (text: string) => [...text.matchAll(/y="234">([^<]*)</g)].map(([, words]) => words);

  it('draws no label and no band for points with fewer than five responses', () => {
    const few = {
      ...example,
      series: FOUR_WEEKS.map((each) => ({ ...(point ?? []), ...each, responses: 4 })),
    };
    const text = trendChart(few as ResultsReply).text;
    expect(text.match(/class="dot thin"/g)).toHaveLength(4);
    expect(text).not.toMatch(/class="strong|class="lone|class="band" d="M/);
  });

  it('dashes incomplete columns and the line to them', () => {
    const text = chartOf(FOUR_WEEKS);
    expect(text.match(/class="count part"/g)).toHaveLength(2);
    expect(/class="line part" d="([^"]*)"/.exec(text)?.[1]?.match(/M/g)).toHaveLength(2);
    expect(chartOf(cutSpan(QUARTER, 'day'))).not.toContain('count part');
  });

  it('labels first days of buckets at equal distances', () => {
    expect(wordsIn(chartOf(FOUR_WEEKS))).toEqual(['Sep 7', 'Oct 5', 'Nov 2']);
    expect(wordsIn(chartOf(MONTHS))).toEqual(['Sep 2026', 'Oct 2026', 'Nov 2026']);
    const days = wordsIn(chartOf(cutSpan(QUARTER, 'day')));
    expect(days).toEqual(['Aug 28', 'Sep 9', 'Sep 21', 'Oct 3', 'Oct 15', 'Oct 27', 'Nov 8']);
  });

  const ofThumbs = (...ups: readonly number[]): ResultsReply => ({
    ...example,
    survey: { ...example.survey, type: 'thumbs' },
    series: ups.flatMap((up, index) => {
      const score = computeScore(
        'thumbs',
        new Map([
          [1, up],
          [0, 40 - up],
        ]),
      );
      return point ? [{ ...point, ...(FOUR_WEEKS[index] ?? QUARTER), responses: 40, score }] : [];
    }),
  });
  const ticksOf = (text: string) =>
    [...(/class="ticks".*?<\/svg>/s.exec(text)?.[0] ?? '').matchAll(/>(\d[\d.]*(?:%)?)</g)].map(
      ([, tick]) => tick,
    );

  it('fits the axis to the data, also for reading points', () => {
    const results = ofThumbs(32, 34, 33, 35);
    const text = trendChart(results).text;
    expect(ticksOf(text)).toEqual(['60%', '70%', '80%', '90%', '100%', '0']);
    const dots = [...text.matchAll(/class="dot" cx="[^"]*" cy="([^"]*)"/g)].map(([, y]) => Number(y));
    expect(readTrend(results).points.map(({ height }) => height)).toEqual(dots);
  });

  it('does not exaggerate small differences', () => {
    const score = { ...computeScore('thumbs', new Map([[1, 1]])), value: 50, low: 49.9, high: 50.1 };
    const even = ofThumbs(20, 20).series.map((each) => ({
      ...each,
      score: each.score && { ...each.score, ...score },
    }));
    const ticks = ticksOf(trendChart({ ...ofThumbs(20, 20), series: even }).text);
    expect([ticks[0], ticks.at(-2)]).toEqual(['40%', '60%']);
  });

  it('draws the score of the preceding days', () => {
    const previous = {
      ...QUARTER,
      responses: 9,
      score: computeScore('thumbs', new Map([[0, 9]])),
      difference: null,
    };
    expect(ticksOf(trendChart({ ...ofThumbs(32, 34), previous }).text)[0]).toBe('0%');
  });

  it('labels each column with its responses, or the tallest of many', () => {
    expect(trendChart(ofThumbs(32, 34, 33)).text.match(/>40</g)).toHaveLength(3);
    const days = chartOf(cutSpan(QUARTER, 'day'));
    expect(days.match(new RegExp(`>${point?.responses}<`, 'g'))).toHaveLength(1);
  });

  it('has a legend', () => {
    const words = (results: ResultsReply) =>
      [...trendKey(results).text.matchAll(/<\/svg>([^<]*)<\/li>/g)].map(([, said]) => said);
    expect(words(ofThumbs(32, 34, 33, 35))).toEqual([
      'Score per 4 weeks',
      '95% interval',
      'Responses',
      'Incomplete periods: first (10 days), last (24 days)',
    ]);
    const score = computeScore(
      'thumbs',
      new Map([
        [1, 9],
        [0, 3],
      ]),
    );
    const previous = { ...span('2026-05-30', '2026-08-27'), responses: 12, score, difference: null };
    const few = ofThumbs(32).series.map((each) => ({ ...each, responses: 4 }));
    expect(words({ ...ofThumbs(32), series: few, previous })).toEqual([
      'Score',
      '95% interval',
      '75.0% in the previous 90 days',
      'Responses',
      'Fewer than 5 responses',
    ]);
  });
});
