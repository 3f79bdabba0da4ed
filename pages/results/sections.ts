/** One survey's results as HTML: figures, charts with their tables, comments. The report and the page show the same. */

import type { Comment, ResultsReply } from '../../shared/contract/results-schemas.ts';
import { MODEL_REQUESTED } from '../../shared/domain/answers/answer.ts';
import { type Html, html } from '../html.ts';
import { distributionChart, segmentChart, trendChart } from './charts.ts';
import {
  formatCount,
  formatDays,
  formatInterval,
  formatParts,
  formatScore,
  formatShare,
  formatValue,
  SCORE_NAMES,
  shareOf,
} from './figures.ts';

export interface SegmentTable {
  readonly name: string;
  readonly rows: NonNullable<ResultsReply['segments']>;
}

function table(caption: string, headings: readonly string[], rows: readonly (readonly string[])[]): Html {
  const head = headings.map((heading) => html`<th scope="col">${heading}</th>`);
  const body = rows.map(([name = '', ...cells]) => {
    const values = cells.map((cell) => html`<td>${cell}</td>`);
    return html`<tr><th scope="row"><bdi>${name}</bdi></th>${values}</tr>`;
  });
  return html`<table><caption>${caption}</caption><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
}

const figure = (title: string, chart: Html, content: Html, note = ''): Html =>
  html`<section class="chart"><h3>${title}</h3><figure>${chart}<figcaption>${note}</figcaption></figure>${content}</section>`;

const NOTES: Readonly<Record<ResultsReply['survey']['type'], string>> = {
  nps: 'Detractors answered 0 to 6, passives 7 or 8, promoters 9 or 10; the score is percent of promoters less percent of detractors.',
  csat: 'The score is percent of 4 and 5.',
  ces: 'The score is the mean; 5 to 7 agree.',
  pmf: '0 not disappointed, 1 somewhat, 2 very; the score is percent of 2.',
  thumbs: '0 is thumbs down, 1 is thumbs up; the score is percent of 1.',
};

function scoreCells({ survey: { type } }: ResultsReply, score: ResultsReply['score']): string[] {
  return score === null ? ['–', '–'] : [formatScore(type, score.value), formatInterval(type, score)];
}

function headline(results: ResultsReply): Html {
  const { survey, score, shows, responseRate, modelRequested } = results;
  const facts: [string, string][] = [
    ['Responses', formatCount(results.responses)],
    ['of them imported', formatCount(results.imported)],
    ['Asked for by a model, not in these numbers', formatCount(modelRequested)],
    ['Dismissals', formatCount(results.dismissals)],
    ['Shows', shows === null ? 'never reported' : formatCount(shows)],
    ['Response rate', responseRate === null ? 'unknown without shows' : formatShare(responseRate)],
    ['With text', formatCount(results.comments)],
    ['Want to be contacted', formatCount(results.followUpsRequested)],
  ];
  const shown = facts.filter(([name, value]) => !name.startsWith('Asked') || value !== '0');
  const list = shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`);
  const figures =
    score === null
      ? html`<p class="score"><strong>–</strong> <span>No answers in these days.</span></p>`
      : html`<p class="score"><strong>${formatScore(survey.type, score.value)}</strong> <span>95 % interval ${formatInterval(survey.type, score)}</span> <span>${formatParts(score)}</span></p>`;
  return html`<div class="headline"><h3>${SCORE_NAMES[survey.type]}</h3>${figures}<dl>${list}</dl></div>`;
}

function distribution(results: ResultsReply): Html {
  const { survey, responses } = results;
  const rows = results.distribution.map(({ rating, count }) => [
    String(rating),
    formatCount(count),
    formatShare(shareOf(count, responses)),
  ]);
  const content = table('Responses by rating', ['Rating', 'Responses', 'Share'], rows);
  return figure('Distribution', distributionChart(results), content, NOTES[survey.type]);
}

function trend(results: ResultsReply): Html {
  const isShown = results.shows !== null;
  const rows = results.series.map(({ from, responses, dismissals, shows, score }) => [
    from,
    formatCount(responses),
    formatCount(dismissals),
    ...(isShown ? [formatCount(shows ?? 0)] : []),
    ...scoreCells(results, score),
  ]);
  const counted = ['From (UTC)', 'Responses', 'Dismissals', ...(isShown ? ['Shows'] : [])];
  const headings = [...counted, 'Score', '95 % interval'];
  const note = 'The band is the interval of 95 %; the bars below are numbers of responses.';
  return figure('Trend', trendChart(results), table('Score over time', headings, rows), note);
}

function segment(results: ResultsReply, { name, rows }: SegmentTable): Html {
  const cells = rows.map(({ value, responses, score }) => [
    formatValue(value),
    formatCount(responses),
    ...scoreCells(results, score),
  ]);
  const headings = [name, 'Responses', 'Score', '95 % interval'];
  const content = table(`Score by ${name}`, headings, cells);
  return figure(`By ${name}`, segmentChart(results.survey.type, name, rows), content);
}

/** @param whom what tells of the person; nothing where the page is sent on */
export function comment({ at, rating, text, identityKind }: Comment, whom: Html): Html {
  const asker = identityKind === MODEL_REQUESTED ? ' asked for by a model' : '';
  return html`<li><p class="rated"><strong>${rating}</strong> <time datetime="${at}">${at.slice(0, 10)}</time>${asker}</p><p class="words" dir="auto">${text ?? ''}</p>${whom}</li>`;
}

export function surveySection(results: ResultsReply, segments: readonly SegmentTable[], after: Html): Html {
  const { slug, question } = results.survey;
  const parts = [distribution(results), trend(results), ...segments.map((part) => segment(results, part))];
  return html`<section class="survey"><h2 dir="auto">${question}</h2><p class="about">${slug}, ${formatDays(results)} (UTC)</p>${headline(results)}${parts}${after}</section>`;
}
