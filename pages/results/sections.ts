/** One survey's results as HTML, for the page and for reports. */

import type { ResultsReply } from '../../shared/contract/results-schemas.ts';
import { FEW_VALUE } from '../../shared/domain/surveys/segments.ts';
import { hasScale } from '../../shared/domain/surveys/survey.ts';
import { type Html, html } from '../html.ts';
import { TYPE_TEXTS } from '../type-texts.ts';
import {
  type Breakdown,
  choiceTable,
  choiceTrend,
  type DrawAnswer,
  questionTables,
  reasonTable,
  segmentTable,
  shareTable,
  withoutNobody,
} from './charts/breakdown-tables.ts';
import { distributionChart, partsBar } from './charts/distribution-chart.ts';
import { scoreAxis } from './charts/plot.ts';
import { FEW, trendChart, trendKey } from './charts/trend-chart.ts';
import { orTooFew, sayDaysBefore } from './comparison.ts';
import {
  counted,
  formatCount,
  formatInterval,
  formatScore,
  formatShare,
  shareOf,
  writeDay,
  writeSpan,
} from './figures.ts';
import { segmentName, valueWords, wordOf } from './result-words.ts';

function foldedTable(
  name: string,
  caption: string,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): Html {
  const head = headings.map((heading) => html`<th scope="col">${heading}</th>`);
  const body = rows.map(([first = '', ...cells]) => {
    const values = cells.map((cell) => html`<td>${cell}</td>`);
    return html`<tr><th scope="row"><bdi>${first}</bdi></th>${values}</tr>`;
  });
  return html`<details class="numbers" id="${name}-numbers"><summary>${caption}, as a table</summary><div class="scrolls" role="region" aria-label="${caption}" tabindex="0"><table><caption>${caption}</caption><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div></details>`;
}

type Tile = readonly [name: string, value: string, about: string];

function moreThanBefore({ from, to, responses, previous }: ResultsReply): readonly string[] {
  if (previous === undefined) return [];
  const [more, then] = [responses - previous.responses, sayDaysBefore({ from, to })];
  if (more === 0) return [`The same as in ${then}`];
  return [`${formatCount(Math.abs(more))} ${more > 0 ? 'more' : 'fewer'} than in ${then}`];
}

function responseTile(results: ResultsReply): Tile {
  const { responses, imported, modelRequested } = results;
  const about = [
    ...moreThanBefore(results),
    ...(imported !== null && imported > 0 ? [`${formatCount(imported)} imported`] : []),
    ...(modelRequested !== null && modelRequested > 0
      ? [`${formatCount(modelRequested)} asked for by an AI assistant, not counted`]
      : []),
  ];
  const all = imported === null ? 'From this segment in this period' : 'All responses in this period';
  return ['Responses', formatCount(responses), about.join('; ') || all];
}

const formatKnown = (count: number | null): string => (count === null ? '–' : formatCount(count));

function rateTile({ survey, responseRate, shows, dismissals }: ResultsReply): Tile {
  const isOpened = survey.trigger === 'person';
  if (isOpened || dismissals === null) {
    const why = isOpened ? 'Opened by the person' : 'Impressions are not counted by segment';
    return ['Response rate', '–', dismissals ? `${why}; ${formatCount(dismissals)} dismissed` : why];
  }
  const dismissed = `${formatCount(dismissals)} dismissed`;
  return responseRate === null
    ? ['Response rate', '–', shows === null ? `Impressions were not reported; ${dismissed}` : dismissed]
    : ['Response rate', formatShare(responseRate), `Of ${counted(shows ?? 0, 'impression')}; ${dismissed}`];
}

function tiles(results: ResultsReply): Html {
  const { responses, comments, followUpsRequested } = results;
  const ofResponses = (count: number | null) => {
    if (count === null) return 'Not counted by segment on some days of this period';
    return responses === 0 ? 'No responses' : `${formatShare(shareOf(count, responses))} of responses`;
  };
  const shown: readonly Tile[] = [
    responseTile(results),
    rateTile(results),
    ['With a comment', formatKnown(comments), ofResponses(comments)],
    ['Contact requests', formatKnown(followUpsRequested), ofResponses(followUpsRequested)],
  ];
  return html`<dl class="tiles">${shown.map(([name, value, about]) => html`<div class="card"><dt>${name}</dt><dd>${value}</dd><dd class="about">${about}</dd></div>`)}</dl>`;
}

function headline(results: ResultsReply, compared: Html): Html {
  const { survey, score } = results;
  if (!hasScale(survey.type))
    return compared.text === '' ? compared : html`<div class="card">${compared}</div>`;
  const figure =
    score === null
      ? html`<p class="score"><strong>–</strong></p><p class="about">No responses in this period${orTooFew(results)}.</p>`
      : html`<p class="score"><strong>${formatScore(survey.type, score.value)}</strong> <span class="about">95% interval ${formatInterval(survey.type, score)}</span></p>${compared}`;
  return html`<div class="card headline"><div class="figure"><h3>${TYPE_TEXTS[survey.type].score}</h3>${figure}</div><div><p class="about">${TYPE_TEXTS[survey.type].scoreAbout}</p>${partsBar(results)}</div></div>`;
}

function cellNote({ smallestCell, shownTo }: ResultsReply): Html {
  if (smallestCell === undefined || shownTo === undefined) return html``;
  return html`<p class="about">Includes only complete weeks, up to ${writeDay(shownTo)}. Results from fewer than ${smallestCell} responses are combined or hidden.</p>`;
}

const chart = (title: string, tools: Html, content: Html): Html =>
  html`<section class="card chart"><header><h3>${title}</h3>${tools}</header>${content}</section>`;

function distribution(results: ResultsReply): Html {
  const { survey, responses } = results;
  if (survey.type === 'open') return html``;
  if (survey.type === 'choice') return chart('Choices', html``, choiceTable(results, survey));
  const rows = results.distribution.map(({ rating, count }) => [
    wordOf(survey.type, rating),
    formatCount(count),
    formatShare(shareOf(count, responses)),
  ]);
  const table = foldedTable('distribution', 'Responses by rating', ['Rating', 'Responses', 'Share'], rows);
  return chart('Distribution', html``, html`${distributionChart(results)}${table}`);
}

function trend(results: ResultsReply, tools: Html): Html {
  const { type } = results.survey;
  const isShown = results.shows !== null;
  const isScored = hasScale(type);
  const choices = results.distribution.flatMap(({ rating, label }) => (label ? [{ rating, label }] : []));
  const rows = results.series.map(
    ({ responses, dismissals, shows, score, withheld, distribution, ...days }) => [
      writeSpan(days),
      withheld ? `at least ${formatCount(responses)}` : formatCount(responses),
      formatKnown(dismissals),
      ...(isShown ? [formatCount(shows ?? 0)] : []),
      ...(score === null ? ['–', '–'] : [formatScore(type, score.value), formatInterval(type, score)]).filter(
        () => isScored,
      ),
      ...choices.map(({ rating }) => {
        const { count = 0 } = distribution.find((each) => each.rating === rating) ?? {};
        return responses === 0 ? '–' : formatShare(shareOf(count, responses));
      }),
    ],
  );
  const counted = ['Dates (UTC)', 'Responses', 'Dismissals', ...(isShown ? ['Impressions'] : [])];
  const heads = isScored ? ['Score', '95% interval'] : choices.map(({ label }) => label);
  const title = isScored ? 'Score over time' : 'Responses over time';
  const table = foldedTable('trend', title, [...counted, ...heads], rows);
  const shares = choices.length === 0 ? html`` : choiceTrend(results);
  return chart('Trend', tools, html`${shares}${trendChart(results)}${trendKey(results)}${table}`);
}

/** Larger than the distance between any two scores. */
const FEW_LATER = 1_000;

/** Rows with few responses come last. */
function lowestFirst(rows: Breakdown['rows']): Breakdown['rows'] {
  const rank = ({ score, responses }: Breakdown['rows'][number]): number => {
    if (score === null) return Number.MAX_VALUE;
    return score.value + (responses < FEW ? FEW_LATER : 0);
  };
  return rows.toSorted((a, b) => rank(a) - rank(b));
}
const breakdownSection = (
  { name, rows }: Breakdown,
  tools: Html,
  drawn: Parameters<typeof segmentTable>[1],
  choices: ResultsReply['distribution'],
): Html => {
  if (!hasScale(drawn.type))
    return html`<section class="card breakdown"><header><h3>By <bdi>${segmentName(name)}</bdi><span class="about">Most responses first.</span></h3>${tools}</header>${shareTable({ name, rows }, choices, drawn.drawValue)}</section>`;
  const hasFew = rows.some(({ responses }) => 0 < responses && responses < FEW);
  const few = hasFew ? ` Segments with fewer than ${FEW} responses are last.` : '';
  return html`<section class="card breakdown"><header><h3>By <bdi>${segmentName(name)}</bdi><span class="about">Lowest score first.${few}<span class="legend"> The line shows the 95% interval.</span></span></h3>${tools}</header>${segmentTable({ name, rows: lowestFirst(rows) }, drawn)}</section>`;
};

/** Parts that the page adds to a report. */
export interface Additions {
  readonly trendTools?: Html;
  /** Shown after the period: the group of people that the results are limited to. */
  readonly whose?: Html;
  readonly compared?: Html;
  readonly drawValue?: (value: string | null) => Html;
  readonly drawReason?: (code: string, label: string) => Html;
  readonly drawAnswer?: DrawAnswer;
  readonly segmentTools?: Html;
  /** Shown in place of missing breakdowns. */
  readonly uncounted?: Html;
  /** Shown in place of the charts. */
  readonly empty?: Html;
  readonly after?: Html;
}

const plainValue =
  (segment: string, least: number | undefined) =>
  (value: string | null): Html =>
    value === FEW_VALUE && least !== undefined
      ? fewWords(least)
      : html`<bdi>${valueWords(segment, value)}</bdi>`;

export const sectionId = (slug: string): string => `survey-${slug}`;

export const fewWords = (least: number): Html => html`segments with fewer than ${least} responses, combined`;

export function surveySection(
  results: ResultsReply,
  given: readonly Breakdown[],
  {
    trendTools = html``,
    compared = html``,
    drawValue,
    drawReason,
    drawAnswer,
    segmentTools = html``,
    whose = html``,
    uncounted = html``,
    empty,
    after = html``,
  }: Additions,
): Html {
  const { slug, question, type } = results.survey;
  const title = html`<h2 id="${sectionId(slug)}" dir="auto">${question}</h2><p class="about">${slug} · ${writeSpan(results)} (UTC)${whose}</p>${cellNote(results)}`;
  if (empty !== undefined) return html`<section class="survey">${title}${empty}${after}</section>`;
  const charts = html`<div class="charts">${distribution(results)}${trend(results, trendTools)}</div>`;
  const reasons = [reasonTable(results, drawReason), ...questionTables(results, drawAnswer)];
  const breakdowns = given.map(withoutNobody);
  // All breakdowns share an axis, so that they can be compared.
  const axis = scoreAxis(
    type,
    breakdowns.flatMap(({ rows }) => rows),
  );
  const parts = breakdowns.map((each) =>
    breakdownSection(
      each,
      segmentTools,
      { type, axis, drawValue: drawValue ?? plainValue(each.name, results.smallestCell) },
      results.distribution,
    ),
  );
  return html`<section class="survey">${title}${headline(results, compared)}${tiles(results)}${charts}<div class="breakdowns">${reasons}${parts}${uncounted}</div>${after}</section>`;
}
