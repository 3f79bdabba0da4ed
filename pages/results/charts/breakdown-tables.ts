/** Tables of segments, reasons and questions whose rows are charts. */

import type { QuestionResult, ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { IDENTITY_SEGMENT } from '../../../shared/domain/surveys/segments.ts';
import type { SurveyType } from '../../../shared/domain/surveys/survey.ts';
import { type Html, html } from '../../html.ts';
import {
  counted,
  formatCount,
  formatInterval,
  formatScore,
  formatScoreTick,
  formatShare,
  formatWholeShare,
  sayMean,
  shareOf,
  writeDay,
} from '../figures.ts';
import { lowWords, partsOf, type Rated, segmentName, toneOf } from '../result-words.ts';
import { slotsOf } from './buckets.ts';
import { type Axis, percent } from './plot.ts';

export interface Breakdown {
  readonly name: string;
  readonly rows: NonNullable<ResultsReply['segments']>;
}

/** Omits identity kinds without responses. */
export const withoutNobody = ({ name, rows }: Breakdown): Breakdown => ({
  name,
  rows: name === IDENTITY_SEGMENT ? rows.filter(({ responses }) => responses > 0) : rows,
});

interface Drawn {
  readonly type: SurveyType;
  readonly axis: Axis;
  /** Draws a value as text or as a button; null means that no value was given. */
  readonly drawValue: (value: string | null) => Html;
}

/** Shows a dash if small cells are hidden. */
function lowShare(type: SurveyType, { distribution, responses }: Breakdown['rows'][number]): string {
  const sum = (counts: Breakdown['rows'][number]['distribution']) =>
    counts.reduce((all, { count }) => all + count, 0);
  if (responses === 0 || sum(distribution) !== responses) return '–';
  const low = sum(distribution.filter(({ rating }) => toneOf(type, rating) === 'low'));
  return `${formatWholeShare(shareOf(low, responses))}%`;
}

export function segmentTable({ name, rows }: Breakdown, { type, axis, drawValue }: Drawn): Html {
  const grid = axis.ticks.map(
    (tick) =>
      html`<line class="grid" x1="${percent(axis.place(tick))}" x2="${percent(axis.place(tick))}" y1="0" y2="100%"/>`,
  );
  const ends = [axis.ticks[0], axis.ticks.at(-1)].map((tick = 0, index) => {
    const anchor = index === 0 ? '' : 'end';
    return html`<text class="${anchor}" x="${percent(axis.place(tick))}" y="12">${formatScoreTick(type, tick)}</text>`;
  });
  const hasLow = type !== 'thumbs';
  const lowHead = hasLow ? html`<th scope="col" class="lows">${partsOf(type)[0]?.name ?? ''}</th>` : html``;
  const body = rows.map((row) => {
    const { value, score, responses } = row;
    const low = hasLow ? html`<td class="lows">${lowShare(type, row)}</td>` : html``;
    const drawn =
      score === null
        ? html``
        : html`<line class="whisker" x1="${percent(axis.place(score.low))}" x2="${percent(axis.place(score.high))}" y1="50%" y2="50%"/><circle class="dot" cx="${percent(axis.place(score.value))}" cy="50%" r="5"/>`;
    const figures =
      score === null
        ? html`<td>–</td><td class="interval">–</td>`
        : html`<td><strong>${formatScore(type, score.value)}</strong></td><td class="interval">${formatInterval(type, score)}</td>`;
    return html`<tr><th scope="row">${drawValue(value)}</th><td class="drawn" aria-hidden="true"><svg width="100%" height="34">${grid}${drawn}</svg></td>${figures}${low}<td>${formatCount(responses)}</td></tr>`;
  });
  return html`<table class="segment"><caption>Score by ${segmentName(name)}</caption><thead><tr><th scope="col"><bdi>${segmentName(name)}</bdi></th><td class="drawn" aria-hidden="true"><svg width="100%" height="16">${ends}</svg></td><th scope="col">Score</th><th scope="col" class="interval">95% interval</th>${lowHead}<th scope="col">Responses</th></tr></thead><tbody>${body}</tbody></table>`;
}

type Counts = ResultsReply['distribution'];

/** A row for each value, with its responses and the share of each choice. Open questions have only responses. */
export function shareTable({ name, rows }: Breakdown, choices: Counts, drawValue: Drawn['drawValue']): Html {
  const named = choices.filter(({ label }) => label !== undefined);
  const heads = ['Responses', ...named.map(({ label = '' }) => label)];
  const body = rows.map(({ value, responses, distribution }) => {
    const shares = named.map(({ rating }) => {
      const share = distribution.find((each) => each.rating === rating)?.share;
      return html`<td>${share ? formatShare(share.value / 100) : responses === 0 ? '–' : formatShare(0)}</td>`;
    });
    return html`<tr><th scope="row">${drawValue(value)}</th><td>${formatCount(responses)}</td>${shares}</tr>`;
  });
  const title = `${named.length === 0 ? 'Responses' : 'Choices'} by ${segmentName(name)}`;
  return html`<div class="scrolls" role="region" aria-label="${title}" tabindex="0"><table><caption>${title}</caption><thead><tr><th scope="col"><bdi>${segmentName(name)}</bdi></th>${heads.map((head) => html`<th scope="col"><bdi>${head}</bdi></th>`)}</tr></thead><tbody>${body}</tbody></table></div>`;
}

/** The count and the share of each choice, with its interval. */
export function choiceTable({ distribution }: Pick<ResultsReply, 'distribution'>, survey: Rated): Html {
  const rows = distribution.map(({ rating, label, count, share }) => {
    const { value, low, high } = share ?? { value: 0, low: 0, high: 0 };
    const [start, end] = [percent(low / 100), percent(high / 100)];
    return html`<tr><th scope="row"><bdi>${label ?? ''}</bdi></th><td class="drawn" aria-hidden="true"><svg width="100%" height="34"><rect class="track" y="33%" width="100%" height="34%" rx="4"/><rect class="bar ${toneOf(survey, rating)}" y="33%" width="${percent(value / 100)}" height="34%" rx="4"/><line class="whisker" x1="${start}" x2="${end}" y1="50%" y2="50%"/></svg></td><td><strong>${formatShare(value / 100)}</strong></td><td class="interval">${formatShare(low / 100)} to ${formatShare(high / 100)}</td><td>${formatCount(count)}</td></tr>`;
  });
  return html`<table class="segment"><caption>Responses by choice</caption><thead><tr><th scope="col">Choice</th><td class="drawn" aria-hidden="true"></td><th scope="col">Share</th><th scope="col" class="interval">95% interval</th><th scope="col">Responses</th></tr></thead><tbody>${rows}</tbody></table>`;
}

/** The share of each choice in each bucket, as small columns on one scale. */
export function choiceTrend({ distribution, series }: Pick<ResultsReply, 'distribution' | 'series'>): Html {
  const slots = slotsOf(series);
  const sharesOf = (rating: number) =>
    series.map((point) =>
      shareOf(point.distribution.find((each) => each.rating === rating)?.count ?? 0, point.responses),
    );
  const most = Math.max(0.01, ...distribution.flatMap(({ rating }) => sharesOf(rating)));
  const last = series.findLastIndex(({ responses }) => responses > 0);
  const rows = distribution.map(({ rating, label = '' }) => {
    const shares = sharesOf(rating);
    const columns = slots.map(({ from, to }, place) => {
      const tall = Math.round((32 * (shares[place] ?? 0)) / most);
      return html`<rect class="count" x="${percent(from + (to - from) / 10)}" y="${33 - tall}" width="${percent(((to - from) * 8) / 10)}" height="${tall}"/>`;
    });
    return html`<tr><th scope="row"><bdi>${label}</bdi></th><td class="drawn" aria-hidden="true"><svg width="100%" height="34">${columns}<line class="grid" x1="0" x2="100%" y1="33" y2="33"/></svg></td><td>${formatShare(shares[last] ?? 0)}</td></tr>`;
  });
  return html`<table class="segment reasons"><caption>Share of each choice over time</caption><thead><tr><th scope="col">Share over time</th><td class="drawn" aria-hidden="true"></td><th scope="col">Latest share</th></tr></thead><tbody>${rows}</tbody></table>`;
}

type Results = Pick<ResultsReply, 'reasons' | 'survey' | 'distribution'>;

export function reasonTable(
  { reasons, survey, distribution }: Results,
  drawReason: (code: string, label: string) => Html = (_, label) => html`<bdi>${label}</bdi>`,
): Html {
  if (reasons === null || reasons.length === 0) return html``;
  const low = distribution
    .filter(({ rating }) => toneOf(survey, rating) === 'low')
    .reduce((sum, { count }) => sum + count, 0);
  const from =
    survey.type === 'choice'
      ? counted(low, 'low choice')
      : `${counted(low, 'low rating')} (${lowWords(survey.type)})`;
  const most = Math.max(1, ...reasons.map(({ count }) => count));
  const rows = reasons
    .toSorted((a, b) => b.count - a.count)
    .map(
      ({ code, label, count }) =>
        html`<tr><th scope="row">${drawReason(code, label)}</th><td class="drawn" aria-hidden="true"><svg width="100%" height="34"><rect class="track" y="33%" width="100%" height="34%" rx="4"/><rect class="bar low" y="33%" width="${percent(count / most)}" height="34%" rx="4"/></svg></td><td><strong>${formatCount(count)}</strong></td></tr>`,
    );
  return html`<section class="card breakdown"><header><h3>Reasons<span class="about">From ${from}, most common first</span></h3></header><table class="segment reasons"><caption>Reasons for low ratings</caption><thead><tr><th scope="col">Reason</th><td class="drawn" aria-hidden="true"></td><th scope="col">Responses</th></tr></thead><tbody>${rows}</tbody></table></section>`;
}

type Share = NonNullable<QuestionResult['choices']>[number]['share'];

/** Without a share, the answers were withheld or combined with others. */
function questionRow(label: Html, count: number, share: Share): Html {
  const { value = 0, low = 0, high = 0 } = share ?? {};
  const [start, end] = [percent(low / 100), percent(high / 100)];
  const drawn =
    share === null
      ? html``
      : html`<rect class="count" y="33%" width="${percent(value / 100)}" height="34%" rx="4"/><line class="whisker" x1="${start}" x2="${end}" y1="50%" y2="50%"/>`;
  const figure = share === null ? '–' : formatShare(value / 100);
  return html`<tr><th scope="row">${label}</th><td class="drawn" aria-hidden="true"><svg width="100%" height="34"><rect class="track" y="33%" width="100%" height="34%" rx="4"/>${drawn}</svg></td><td><strong>${figure}</strong></td><td>${formatCount(count)}</td></tr>`;
}

export type DrawAnswer = (id: string, code: string, label: string) => Html;

const plainAnswer: DrawAnswer = (_, __, label) => html`<bdi>${label}</bdi>`;

function aboutQuestion({ kind, asked, answered, score, reworded, withheld }: QuestionResult): string {
  const mean = score ? [sayMean(score)] : [];
  return [
    `${formatCount(answered)} answered of ${formatCount(asked)} asked`,
    ...mean,
    ...(kind === 'many' ? ['people could choose several'] : []),
    ...(kind === 'text' ? ['shown with the comments'] : []),
    ...(reworded === undefined ? [] : [`reworded on ${writeDay(reworded)}`]),
    ...(withheld ? ['weeks with too few answers are hidden'] : []),
  ].join(' · ');
}

/** One strip of bars for each question. */
export function questionTables(
  { questions = [] }: Pick<ResultsReply, 'questions'>,
  drawAnswer: DrawAnswer = plainAnswer,
): Html[] {
  return questions.map((question) => {
    const { id, text, answered, choices = [], distribution = [], few } = question;
    const ofChoices = choices.map(({ code, label, count, share }) =>
      questionRow(drawAnswer(id, code, label), count, share),
    );
    const ofNumbers = distribution.map(({ value, count }) => {
      const share = 100 * shareOf(count, answered);
      return questionRow(drawAnswer(id, `${value}`, `${value}`), count, {
        value: share,
        low: share,
        high: share,
      });
    });
    const combined =
      few === undefined ? html`` : questionRow(html`choices with few answers, combined`, few.count, null);
    const rows = [...ofChoices, ...ofNumbers];
    const table =
      rows.length === 0
        ? html``
        : html`<table class="segment"><caption>${text}</caption><thead><tr><th scope="col">Answer</th><td class="drawn" aria-hidden="true"></td><th scope="col">Share</th><th scope="col">Answers</th></tr></thead><tbody>${rows}${combined}</tbody></table>`;
    return html`<section class="card breakdown"><header><h3><bdi>${text}</bdi><span class="about">${aboutQuestion(question)}</span></h3></header>${table}</section>`;
  });
}
