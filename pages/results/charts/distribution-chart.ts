/** Responses by rating, as columns, or as rows if ratings have words; and a bar of the score's parts. */

import type { ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { type Html, html } from '../../html.ts';
import { counted, formatCount, formatShare, formatWholeShare, shareOf } from '../figures.ts';
import { endWords, partOf, partsOf, toneOf, wordOf } from '../result-words.ts';
import { percent, plot, px, type Reading } from './plot.ts';

type Results = Pick<ResultsReply, 'survey' | 'distribution' | 'responses'>;

const COLUMNS = { top: 22, bottom: 212, height: 254 } as const;
const COLUMN_WIDTH = 0.76;
const ROWS = 240;
const BAR = 22;

const labelOf = ({ survey, distribution, responses }: Results): string => {
  const counts = distribution.map(
    ({ rating, count }) => `${wordOf(survey.type, rating)}: ${formatCount(count)}`,
  );
  return `Distribution of ${counted(responses, 'response')} by rating. ${counts.join(', ')}`;
};

function columns(results: Results, [low, high]: readonly [string, string]): Html {
  const { survey, distribution, responses } = results;
  const { top, bottom, height } = COLUMNS;
  const most = Math.max(1, ...distribution.map(({ count }) => count));
  const slot = 1 / distribution.length;
  const shapes = distribution.map(({ rating, count }, index) => {
    const middle = (index + 0.5) * slot;
    const number = html`<text class="middle strong" x="${percent(middle)}" y="${bottom + 18}">${rating}</text>`;
    if (count === 0) return number;
    const tall = Math.max(2, ((bottom - top) * count) / most);
    const share = formatWholeShare(shareOf(count, responses));
    return html`<rect class="bar ${toneOf(survey.type, rating)}" x="${percent(middle - (slot * COLUMN_WIDTH) / 2)}" y="${px(bottom - tall)}" width="${percent(slot * COLUMN_WIDTH)}" height="${px(tall)}" rx="3"/><text class="middle" x="${percent(middle)}" y="${px(bottom - tall - 6)}">${share}<tspan class="unit">%</tspan></text>${number}`;
  });
  const floor = html`<line class="grid" x1="0" x2="100%" y1="${bottom}" y2="${bottom}"/>`;
  const ends = html`<text x="0" y="${height - 4}">${low}</text><text class="end" x="100%" y="${height - 4}">${high}</text><text class="middle narrow" x="50%" y="${height - 4}">in %</text>`;
  return plot({ name: 'distribution', label: labelOf(results), height, shapes: [floor, ...shapes, ends] });
}

function rows(results: Results): Html {
  const { survey, distribution, responses } = results;
  const height = ROWS / distribution.length;
  const shapes = [...distribution].reverse().map(({ rating, count }, index) => {
    const y = index * height + 6;
    const share = shareOf(count, responses);
    return html`<text class="word" x="0" y="${y + 14}">${wordOf(survey.type, rating)}</text><text class="end word strong" x="100%" y="${y + 14}">${formatShare(share)}</text><rect class="track" x="0" y="${y + 24}" width="100%" height="${BAR}" rx="4"/><rect class="bar ${toneOf(survey.type, rating)}" x="0" y="${y + 24}" width="${percent(share)}" height="${BAR}" rx="4"/><text x="0" y="${y + 64}">${formatCount(count)} of ${counted(responses, 'response')}</text>`;
  });
  return plot({
    name: 'distribution',
    label: labelOf(results),
    height: ROWS + 6,
    shapes,
  });
}

export function distributionChart(results: Results): Html {
  const ends = endWords(results.survey.type);
  return ends === undefined ? rows(results) : columns(results, ends);
}

export function readDistribution({ survey, distribution, responses }: Results): Reading {
  const direction = endWords(survey.type) === undefined ? 'down' : 'across';
  const shown = direction === 'down' ? [...distribution].reverse() : distribution;
  const points = shown.map(({ rating, count }, index) => {
    const word = wordOf(survey.type, rating);
    const part = partOf(survey.type, rating)?.name ?? '';
    const isNumber = word === String(rating);
    return {
      along: (index + 0.5) / shown.length,
      title: isNumber ? `${word} · ${part}` : word,
      lines: [
        `${formatCount(count)} of ${counted(responses, 'response')}`,
        formatShare(shareOf(count, responses)),
      ],
    };
  });
  return { direction, points };
}

export function partsBar({ survey, distribution, responses }: ResultsReply): Html {
  let along = 0;
  const parts = partsOf(survey.type).map((part) => {
    const count = distribution
      .filter(({ rating }) => part.from <= rating && rating <= part.to)
      .reduce((sum, each) => sum + each.count, 0);
    const share = shareOf(count, responses);
    const start = along;
    along += share;
    return { ...part, count, share, start };
  });
  const shapes = parts
    .filter(({ count }) => count > 0)
    .map(
      ({ tone, start, share }) =>
        html`<rect class="bar ${tone}" x="${percent(start)}" width="${percent(share)}" height="100%"/>`,
    );
  const named = parts.map(
    ({ tone, name, count, share }) =>
      html`<li><svg class="swatch" width="10" height="10" aria-hidden="true"><rect class="bar ${tone}" width="10" height="10" rx="3"/></svg><span class="name">${name}</span> <strong>${formatShare(share)}</strong> <span class="about">${formatCount(count)}</span></li>`,
  );
  return html`<div class="parts"><svg class="stack" width="100%" aria-hidden="true">${shapes}</svg><ul>${named}</ul></div>`;
}
