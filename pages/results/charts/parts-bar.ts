/** What a score is made of: its parts in one bar, named below it. */

import type { ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { type Html, html } from '../../html.ts';
import { formatCount, formatShare, shareOf } from '../figures.ts';
import { partsOf } from '../rating-words.ts';
import { percent } from './plot.ts';

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
