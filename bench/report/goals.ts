/** What the service set out to reach. */

import { SERIES } from '../growth/series.ts';
import { LOADS } from '../http/throughput.ts';
import { HOT_ROUTES } from '../warm/hot-routes.ts';
import { FIGURES, lastExponentOf, type RunFigures } from './run-figures.ts';
import { figure, type Table } from './section.ts';

interface Goal {
  readonly name: string;
  /** A key of the run's figures. */
  readonly figure: string;
  readonly atMost?: number;
  readonly atLeast?: number;
  /** A further figure, shown and not judged. */
  readonly beside?: { readonly what: string; readonly figure: string };
}

/** Linear, and what rounding to whole units adds. */
const LINEAR = 1.1;

export const GOALS: readonly Goal[] = [
  ...HOT_ROUTES.map((route) => ({
    name: `${route}, warm, p50 over the floor's`,
    figure: `warm ${route} p50 ratio`,
    atMost: 1.25,
  })),
  ...HOT_ROUTES.map((route) => ({
    name: `${route}, cold, time over the floor's`,
    figure: `cold ${route} ratio`,
    atMost: 1.15,
    beside: { what: 'over the floor with our credentials', figure: `cold ${route} equal ratio` },
  })),
  {
    name: 'bootstraps a second over HTTP',
    figure: `http ${LOADS.bootstrap} per second`,
    atLeast: 1_300,
  },
  { name: 'bootstrap over HTTP, CPU ms', figure: `http ${LOADS.bootstrap} cpu ms`, atMost: 0.8 },
  { name: 'answers a second over HTTP', figure: `http ${LOADS.submit} per second`, atLeast: 900 },
  { name: 'answer over HTTP, CPU ms', figure: `http ${LOADS.submit} cpu ms`, atMost: 1 },
  { name: 'errors over HTTP', figure: FIGURES.httpErrors, atMost: 0 },
  { name: 'read units of a bootstrap at 1,000 answers', figure: FIGURES.longHistory, atMost: 2 },
  ...Object.values(SERIES).map((what) => ({
    name: `${what}: growth of units, last exponent`,
    figure: lastExponentOf(what),
    atMost: LINEAR,
  })),
  { name: 'seconds of the whole run', figure: FIGURES.seconds, atMost: 600 },
];

const verdict = (value: number, { atMost, atLeast }: Goal): string => {
  if (!Number.isFinite(value)) return '**not measured**';
  const isMet =
    value <= (atMost ?? Number.POSITIVE_INFINITY) && value >= (atLeast ?? Number.NEGATIVE_INFINITY);
  return isMet ? 'met' : '**missed**';
};

export function goalsTable(figures: RunFigures): Table {
  const rows = GOALS.map((goal) => {
    const { name, atMost, atLeast, beside } = goal;
    const value = figures[goal.figure] ?? Number.NaN;
    const wanted = atMost === undefined ? `≥ ${figure(atLeast ?? 0)}` : `≤ ${figure(atMost)}`;
    const further = beside && `${figure(figures[beside.figure] ?? Number.NaN)} ${beside.what}`;
    return [name, wanted, value, verdict(value, goal), further ?? ''];
  });
  return { head: ['goal', 'wanted', 'measured', '', 'beside it'], rows };
}
