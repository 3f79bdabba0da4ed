/** What the service set out to reach. */

import { figure, type Table } from './section.ts';

interface Goal {
  readonly name: string;
  /** A key of the run's figures. */
  readonly figure: string;
  readonly atMost?: number;
  readonly atLeast?: number;
}

const ROUTES = ['bootstrap', 'submit-response', 'submit-dismissal', 'mint-tokens'];

const GOALS: readonly Goal[] = [
  ...ROUTES.map((route) => ({
    name: `${route}, warm, p50 over the floor's`,
    figure: `warm ${route} p50 ratio`,
    atMost: 1.25,
  })),
  ...ROUTES.map((route) => ({
    name: `${route}, cold, time over the floor's`,
    figure: `cold ${route} ratio`,
    atMost: 1.15,
  })),
  { name: 'bootstraps a second over HTTP', figure: 'http bootstrap per second', atLeast: 1_300 },
  { name: 'bootstrap over HTTP, CPU ms', figure: 'http bootstrap cpu ms', atMost: 0.8 },
  { name: 'answers a second over HTTP', figure: 'http submit per second', atLeast: 900 },
  { name: 'answer over HTTP, CPU ms', figure: 'http submit cpu ms', atMost: 1 },
  { name: 'read units of a bootstrap at 1,000 answers', figure: 'units at 1000 answers', atMost: 2 },
];

export function goalsTable(figures: Readonly<Record<string, number>>): Table {
  const rows = GOALS.map(({ name, figure: key, atMost, atLeast }) => {
    const value = figures[key] ?? Number.NaN;
    const isMet = value <= (atMost ?? Number.POSITIVE_INFINITY) && value >= (atLeast ?? 0);
    const goal = atMost === undefined ? `≥ ${figure(atLeast ?? 0)}` : `≤ ${figure(atMost)}`;
    return [name, goal, value, isMet ? 'met' : '**missed**'];
  });
  return { head: ['goal', 'wanted', 'measured', ''], rows };
}
