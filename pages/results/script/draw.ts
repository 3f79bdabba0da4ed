/** Draws a survey: the content of the report, with controls and readable points. */

import type { ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { FEW_VALUE, NO_VALUE } from '../../../shared/domain/surveys/segments.ts';
import { type Html, html } from '../../html.ts';
import { withoutNobody } from '../charts/breakdown-tables.ts';
import { coarsen } from '../charts/buckets.ts';
import { readDistribution } from '../charts/distribution-chart.ts';
import type { Reading } from '../charts/plot.ts';
import { readTrend } from '../charts/trend-chart.ts';
import { compareWords } from '../comparison.ts';
import { keptWords, segmentName, silenceWords, valueWords } from '../result-words.ts';
import { fewWords, surveySection } from '../sections.ts';
import { type Asked, LONGEST_DAYS, type Survey, wordsOf } from './controls.ts';
import { choose, show } from './dom.ts';

const BUCKETS = [
  ['', 'Auto'],
  ['day', 'Day'],
  ['week', 'Week'],
  ['month', 'Month'],
] as const;

const choices = (
  id: string,
  legend: string,
  offered: readonly (readonly [value: string, text: string])[],
): Html => {
  const buttons = offered.map(
    ([value, text]) =>
      html`<label><input type="radio" name="${id}" value="${value}"><span>${text}</span></label>`,
  );
  return html`<fieldset class="choices" id="${id}"><legend>${legend}</legend>${buttons}</fieldset>`;
};

const segmentTools = (of: Survey | undefined): Html =>
  of === undefined || of.segments.length < 2
    ? html``
    : choices(
        'told-by',
        'Break down by',
        of.segments.toReversed().map((name) => [name, segmentName(name)] as const),
      );

const everybody = (words: string, kind: string): Html =>
  html`<button type="button" class="everybody ${kind}">${words}</button>`;
const longest = html`<button type="button" id="longest">Show the last ${LONGEST_DAYS} days</button>`;

function emptyState(
  of: Survey | undefined,
  { dismissals, shows, smallestCell }: ResultsReply,
  asked: Asked,
): Html {
  const { segment, value } = asked;
  if (smallestCell !== undefined)
    return html`<div class="card empty"><h3>No results to show for this period</h3><p>A week’s results appear when the week is over and has at least ${smallestCell} responses.</p><div>${longest}</div></div>`;
  if (segment !== undefined && value !== undefined)
    return html`<div class="card empty"><h3>No responses from this segment in this period</h3><p>No one in the segment <bdi>${segmentName(segment)}: ${wordsOf(of, segment, value)}</bdi> responded. Choose all people or a longer period.</p><div>${everybody('Show all people', '')}${longest}</div></div>`;
  const words = silenceWords(of, { shows, dismissals });
  const [title, tools] =
    of !== undefined && of.responses > 0
      ? ['No responses in this period', html`<div>${longest}</div>`]
      : ['No responses yet', html``];
  return html`<div class="card empty"><h3>${title}</h3><p>${words}</p>${tools}</div>`;
}

function whose(of: Survey | undefined, { segment, value }: Asked): Html {
  const status = of === undefined ? html`` : html` <span class="state ${of.status}">${of.status}</span>`;
  if (segment === undefined || value === undefined) return status;
  return html`${status} · <strong><bdi>${segmentName(segment)}: ${wordsOf(of, segment, value)}</bdi></strong> ${everybody('Show all people', 'link')}`;
}

const valueButton = (segment: string, least: number | undefined) => (value: string | null) =>
  value === FEW_VALUE && least !== undefined
    ? fewWords(least)
    : html`<button type="button" class="link" data-value="${value ?? NO_VALUE}" title="Show only this segment"><bdi>${valueWords(segment, value)}</bdi></button>`;

const reasonButton = (code: string, label: string): Html =>
  html`<button type="button" class="link" data-reason="${code}" title="Show comments with this reason"><bdi>${label}</bdi></button>`;

interface Drawn {
  readonly reply: ResultsReply;
  readonly of: Survey | undefined;
  readonly asked: Asked;
  /** The chosen bucket. */
  readonly by: string | undefined;
}

/** Keeps open details open, and keeps the focus on a chosen bucket. */
export function draw(shown: HTMLElement, { reply: whole, of, asked, by: bucket }: Drawn): void {
  const reply = bucket === undefined ? { ...whole, series: [...coarsen(whole)] } : whole;
  const opened = [...shown.querySelectorAll('details[open]')].map(({ id }) => id);
  const focused = shown.contains(document.activeElement) ? document.activeElement : null;
  const group = focused?.closest('fieldset')?.id;
  const { segment = '' } = asked;
  const breakdown = withoutNobody({ name: segment, rows: reply.segments ?? [] });
  // A breakdown with only one row has no information.
  const isTold = breakdown.rows.length > 1 || (of?.segments.length ?? 0) > 1;
  const breakdowns = reply.segments && isTold ? [breakdown] : [];
  const isEmpty = reply.responses === 0;
  const empty = isEmpty ? { empty: emptyState(of, reply, asked) } : {};
  const compared = compareWords(reply);
  const isOne = asked.value !== undefined && !isEmpty;
  const uncounted = of?.reasons?.length ? 'reasons and breakdowns' : 'breakdowns';
  const kept = of === undefined ? '' : keptWords(of);
  const drawn = {
    after: kept === '' ? html`` : html`<p class="about">${kept}</p>`,
    trendTools: choices('by', 'Trend by', BUCKETS),
    segmentTools: segmentTools(of),
    compared,
    uncounted: isOne ? html`<p class="about">To see ${uncounted}, show all people.</p>` : html``,
    whose: whose(of, asked),
    drawValue: valueButton(segment, reply.smallestCell),
    drawReason: reasonButton,
  };
  show(shown, surveySection(reply, breakdowns, { ...drawn, ...empty }));
  // Breakdowns and reasons come before charts.
  shown.querySelector('.charts')?.before(...shown.querySelectorAll('.breakdowns'));
  for (const id of opened) document.getElementById(id)?.setAttribute('open', '');
  const readings = { trend: readTrend(reply), distribution: readDistribution(reply) };
  for (const plot of shown.querySelectorAll<HTMLElement>('.plot')) {
    if (plot.dataset.chart === 'trend') readPoints(plot, 'Trend', readings.trend);
    else readPoints(plot, 'Distribution', readings.distribution);
  }
  for (const tools of shown.querySelectorAll('fieldset')) {
    choose(tools, tools.id === 'by' ? (bucket ?? '') : segment);
    if (tools.id === group) tools.querySelector<HTMLInputElement>('input:checked')?.focus();
  }
}

const part = (area: Element, name: string): HTMLElement => {
  const element = document.createElement('div');
  element.className = name;
  element.hidden = true;
  area.append(element);
  return element;
};

/** Makes a chart a slider over its points, for pointers, touch, arrow keys and screen readers. */
function readPoints(plot: HTMLElement, label: string, { direction, points }: Reading): void {
  const area = plot.querySelector<HTMLElement>('.area');
  if (area === null || points.length === 0) return;
  const [guide, ring, read] = [part(area, `guide ${direction}`), part(area, 'ring'), part(area, 'read')];
  let current = points.length - 1;

  function point(index: number): void {
    current = Math.min(points.length - 1, Math.max(0, index));
    const at = points[current];
    if (at === undefined || area === null) return;
    plot.setAttribute('aria-valuenow', String(current + 1));
    plot.setAttribute('aria-valuetext', [at.title, ...at.lines].join(', '));
    const { clientWidth: width, clientHeight: height } = area;
    const [x, y] = direction === 'across' ? [at.along * width, 0] : [width / 2, at.along * height];
    Object.assign(guide.style, { left: `${x}px`, top: '0', height: `${height - 22}px` });
    guide.hidden = direction === 'down';
    ring.hidden = at.height === undefined;
    Object.assign(ring.style, { left: `${x}px`, top: `${at.height ?? 0}px` });
    show(read, html`<strong>${at.title}</strong>${at.lines.map((line) => html`<div>${line}</div>`)}`);
    read.hidden = false;
    const { offsetWidth, offsetHeight } = read;
    const beside = x + 14 + offsetWidth <= width ? x + 14 : x - 14 - offsetWidth;
    Object.assign(read.style, {
      left: `${direction === 'across' ? Math.max(0, beside) : (width - offsetWidth) / 2}px`,
      top: `${direction === 'across' ? 4 : Math.max(0, y - offsetHeight - 8)}px`,
    });
  }
  const leave = (): void => {
    for (const element of [guide, ring, read]) element.hidden = true;
  };
  const nearest = ({ clientX, clientY }: PointerEvent): number => {
    const box = area.getBoundingClientRect();
    const along =
      direction === 'across' ? (clientX - box.left) / box.width : (clientY - box.top) / box.height;
    const far = points.map((each) => Math.abs(each.along - along));
    return far.indexOf(Math.min(...far));
  };

  const attributes = {
    role: 'slider',
    tabindex: '0',
    'aria-label': `${label}, point by point`,
    'aria-valuemin': '1',
    'aria-valuemax': String(points.length),
    'aria-orientation': direction === 'across' ? 'horizontal' : 'vertical',
  };
  for (const [name, value] of Object.entries(attributes)) plot.setAttribute(name, value);
  point(current);
  leave();
  plot.addEventListener('pointermove', (event) => point(nearest(event)));
  plot.addEventListener('pointerdown', (event) => point(nearest(event)));
  plot.addEventListener('pointerleave', leave);
  plot.addEventListener('focus', () => plot.matches(':focus-visible') && point(current));
  plot.addEventListener('blur', leave);
  plot.addEventListener('keydown', (event) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: current + 1,
      ArrowDown: current + 1,
      ArrowLeft: current - 1,
      ArrowUp: current - 1,
      Home: 0,
      End: points.length - 1,
    };
    const next = steps[event.key];
    if (event.key === 'Escape') leave();
    if (next === undefined) return;
    event.preventDefault();
    point(next);
  });
}
