import { describe, expect, it } from 'vitest';
import { html } from '../../../pages/html.ts';
import type { Breakdown } from '../../../pages/results/charts/breakdown-tables.ts';
import { comment, reasonsOf } from '../../../pages/results/comment.ts';
import { compareWords } from '../../../pages/results/comparison.ts';
import { formatScore } from '../../../pages/results/figures.ts';
import { surveySection } from '../../../pages/results/sections.ts';
import { dayLines } from '../../../pages/results/write-csv.ts';
import { getResults, listComments } from '../../../shared/contract/examples/results-examples.ts';
import type { Comment, ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { computeScore, shareOf } from '../../../shared/domain/results/score.ts';
import type { SurveyType } from '../../../shared/domain/surveys/survey.ts';

const example = getResults.reply as ResultsReply;

const headingsOf = (results: ResultsReply): string =>
  /<caption>Score over time.*?<\/thead>/s.exec(surveySection(results, [], {}).text)?.[0] ?? '';

it('shows impressions in the trend if any were reported, and zero for a bucket without any', () => {
  const none = { ...example, shows: null, responseRate: null };
  expect(headingsOf(none)).toContain('Dismissals');
  expect(headingsOf(none)).not.toContain('Impressions');
  const series = example.series.map((point, index) => ({ ...point, shows: index === 0 ? 4321 : 0 }));
  const some = { ...example, shows: 4321, responseRate: 0.25, series };
  expect(headingsOf(some)).toContain('Impressions');
  const { text } = surveySection(some, [], {});
  expect(text).toMatch(/4,321.*4,321/s);
});

it.each([
  [{ dismissals: 3 }, 'Opened by the person; 3 dismissed'],
  [{ dismissals: 0 }, 'Opened by the person'],
  [{ dismissals: null }, 'Opened by the person'],
])('explains that a survey which the person opens has no response rate: %j', (more, words) => {
  const survey = { ...example.survey, trigger: 'person' as const };
  for (const shows of [null, 40]) {
    const { text } = surveySection({ ...example, ...more, survey, shows, responseRate: null }, [], {});
    expect(text).toContain(`<dt>Response rate</dt><dd>–</dd><dd class="about">${words}</dd>`);
  }
});

it('counts each reason, most common first, and names the reasons of an answer by label', () => {
  const reasons = [
    { code: 'wrong', label: 'It was <i>wrong</i>', count: 3 },
    { code: 'slow', label: 'Too slow', count: 1200 },
    { code: 'old', label: 'old', count: 1 },
  ];
  const { text } = surveySection({ ...example, reasons }, [], {});
  expect(text).toMatch(/Too slow.*1,200.*It was &lt;i&gt;wrong.*>3<.*>old</s);
  for (const none of [[], null])
    expect(surveySection({ ...example, reasons: none }, [], {}).text).not.toContain('Reason');
  const said = (given: string[] | null) => reasonsOf({ reasons: given, answers: null }, { reasons }).text;
  expect(said(['slow', 'gone'])).toMatch(/Too slow.*gone/);
  expect(said(null)).toBe('');
});

it('draws a strip for each question, and shows the answers of a comment with the texts of their questions', () => {
  const counted = { asked: 9, answered: 4, skipped: 2, notReached: 3 };
  const questions: ResultsReply['questions'] = [
    {
      ...{ id: 'use', kind: 'many', text: 'What <for>?', reworded: '2026-11-03', withheld: true, ...counted },
      choices: [
        { code: 'a', label: 'Alerts', count: 3, share: { value: 75, low: 30, high: 96 } },
        { code: 'b', label: 'Reports', count: 0, share: null },
      ],
      few: { codes: ['b'], count: 6 },
    },
    {
      ...{ id: 'effort', kind: 'scale', text: 'How easy?', ...counted },
      score: { value: 2, low: 1.25, high: 2.75, confidence: 0.95 },
      distribution: [
        { value: 1, count: 1 },
        { value: 2, count: 3 },
      ],
    },
    { id: 'more', kind: 'text', text: 'Anything else?', ...counted },
  ];
  const { text } = surveySection({ ...example, questions }, [], {});
  expect(text).toMatch(/What &lt;for&gt;\?.*4 answered of 9 asked · people could choose several/s);
  expect(text).toMatch(/reworded on Nov 3, 2026 · weeks with too few answers are hidden/);
  expect(text).toMatch(/Alerts.*75%.*>3<.*Reports.*–.*combined.*>6</s);
  expect(text).toMatch(/How easy\?.*mean 2\.0 \(95% interval 1\.3 to 2\.8\).*25%.*75%/s);
  expect(text).toMatch(/Anything else\?.*shown with the comments/s);
  const answers = { use: ['a', 'gone'], effort: 2, more: '<b>No', old: null };
  expect(reasonsOf({ reasons: null, answers }, { reasons: null, questions }).text).toMatch(
    /What &lt;for&gt;.*Alerts, gone.*How easy.*>2<.*Anything else.*&lt;b&gt;No/s,
  );
});

it('writes values that round to zero without a sign', () => {
  expect(['nps', 'csat', 'ces'].map((type) => formatScore(type as SurveyType, -0.004))).toEqual([
    '0.0',
    '0.0%',
    '0.00',
  ]);
  expect(formatScore('nps', -12.34)).toBe('−12.3');
});

it('marks a comment asked for by an AI assistant', () => {
  const [said] = listComments.reply.comments as Comment[];
  const shownAs = (identityKind: Comment['identityKind']) =>
    said && comment('nps', { ...said, identityKind }, html``).text;
  expect(shownAs('model-requested')).toContain('asked for by an AI assistant');
  for (const kind of ['identified', null] as const) expect(shownAs(kind)).not.toContain('model');
});

describe('tables by segment', () => {
  const row = (value: string | null, rating: number, responses: number): Breakdown['rows'][number] => ({
    value,
    responses,
    distribution: [],
    score: responses === 0 ? null : computeScore('nps', new Map([[rating, responses]])),
  });
  const plan = { name: 'plan', rows: [row('free', 0, 40), row('pro', 0, 0)] };
  const country = { name: 'country', rows: [row('CH', 10, 40)] };
  const identity = { name: 'identityKind', rows: [row('identified', 10, 9), row('anon-device', 10, 0)] };
  const textOf = (...breakdowns: Breakdown[]) =>
    surveySection({ ...example, survey: { ...example.survey, type: 'nps' } }, breakdowns, {}).text;
  const axesOf = (text: string) =>
    [...text.matchAll(/<svg width="100%" height="16">(.*?)<\/svg>/gs)].map(([, axis]) => axis);

  it('share one axis, which covers all scores', () => {
    const [one, other] = axesOf(textOf(plan, country));
    expect(one).toMatch(/−100<.*>100</);
    expect(other).toBe(one);
    expect(axesOf(textOf(country))[0]).not.toContain('−100');
  });

  it('have the lowest score first, and groups with few responses last', () => {
    const rows = [row('pro', 10, 40), row('few', 0, 4), row('free', 3, 40), row('none', 0, 0)];
    const text = textOf({ name: 'plan', rows });
    const at = ['free', 'pro', 'few', 'none'].map((value) => text.indexOf(`<bdi>${value}</bdi>`));
    expect(at).toEqual(at.toSorted((a, b) => a - b));
    expect(text).toContain('Lowest score first. Segments with fewer than 5 responses are last.');
    expect(textOf(plan)).toContain('Lowest score first.<');
  });

  it('omit identity kinds without responses, but no declared values', () => {
    const text = textOf(plan, identity);
    expect(text).toContain('identified');
    expect(text).not.toContain('anonymous, by device');
    expect(text).toContain('<bdi>pro</bdi>');
  });
});

describe('a survey without a score', () => {
  const choices = [
    { code: 'price', label: 'Too <expensive>', low: true, rating: 0 },
    { code: 'other', label: 'Something else', rating: 1 },
  ];
  const bar = (price: number, other: number) => ({
    responses: price + other,
    score: null,
    distribution: choices.map(({ code, label, rating }, place) => {
      const count = [price, other][place] ?? 0;
      return { code, label, rating, count, share: shareOf(count, price + other) };
    }),
  });
  const survey = { id: 's', slug: 'leave', question: 'Why?', scale: { min: 0, max: 1 } };
  const days = { from: '2026-11-01', to: '2026-11-14' };
  const week = { dismissals: 0, shows: null };
  const results: ResultsReply = {
    ...example,
    ...days,
    ...bar(30, 10),
    survey: { ...survey, type: 'choice', choices },
    reasons: null,
    series: [
      { from: '2026-11-01', to: '2026-11-07', ...week, ...bar(20, 0) },
      { from: '2026-11-08', to: '2026-11-14', ...week, ...bar(10, 10) },
    ],
    previous: {
      ...{ from: '2026-10-18', to: '2026-10-31', difference: null, ...bar(10, 10) },
      differences: [
        { code: 'price', value: 25, low: 1, high: 45 },
        { code: 'other', value: -25, low: -45, high: 1 },
      ],
    },
  };
  const drawn = (of: ResultsReply) =>
    surveySection(of, [{ name: 'plan', rows: [{ value: 'pro', ...bar(3, 1) }] }], {
      compared: compareWords(of),
    }).text;
  const textOf = (markup: string) => markup.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

  it('shows the choices with share, interval and count, over time, by segment and compared', () => {
    const markup = drawn(results);
    const text = textOf(markup);
    expect(markup).toContain('Too &lt;expensive&gt;');
    expect(text).toContain('Something else 25.0% 14.0% to 40.4% 10');
    expect(text).toContain(
      'Something else 25.0% 50.0% −25.0 points −45.0 to 1.0 points possibly due to chance',
    );
    expect(text).toContain('+25.0 points 1.0 to 45.0 points very likely real');
    expect(text).toContain('pro 4 75.0% 25.0%');
    expect(text).toContain('Nov 8 – 14, 2026 20 0 50.0% 50.0%');
  });

  it('shows the responses of an open question, and neither has a score', () => {
    const { differences: _, distribution: __, ...previous } = results.previous ?? { differences: null };
    const open = {
      ...results,
      survey: { ...survey, type: 'open' as const },
      distribution: [{ rating: 0, count: 40 }],
      previous: previous as ResultsReply['previous'],
    } as ResultsReply;
    for (const each of [results, open]) expect(textOf(drawn(each))).not.toMatch(/score/i);
    expect(textOf(drawn(open))).toContain('20 more than in the previous 14 days');
  });

  it.each([
    ['choice', ['choice price', 'choice other'], [20, 0]],
    ['open', [], []],
  ] as const)('of type %s has columns of its own in CSV', (type, heads, counts) => {
    const [head, first] = dayLines({ ...results, survey: { ...results.survey, type } });
    expect(head).toEqual(['from', 'to', 'responses', 'dismissals', 'shows', ...heads]);
    expect(first?.slice(5)).toEqual(counts);
  });

  it('names the choice of an answer, and nothing for an open question', () => {
    const [said] = listComments.reply.comments as Comment[];
    const shown = (of: Parameters<typeof comment>[0]) =>
      said && comment(of, { ...said, rating: 0 }, html``).text;
    expect(shown(results.survey)).toContain('<strong class="low"><bdi>Too &lt;expensive&gt;</bdi></strong>');
    expect(shown('open')).not.toContain('<strong');
  });
});
