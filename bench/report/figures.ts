/** The figures of a run that the next one is compared with. */

import { execFileSync } from 'node:child_process';
import * as z from 'zod';
import { figure, type Table } from './section.ts';

const storedFigures = z.object({ date: z.string(), figures: z.record(z.string(), z.number()) });

export type StoredFigures = z.infer<typeof storedFigures>;

/** What there is to compare with, or why there is nothing. */
export type Before = StoredFigures | { readonly missing: string };

export const STORED_FIGURES = 'docs/performance.json';

export function parseFigures(text: string): Before {
  try {
    return storedFigures.parse(JSON.parse(text));
  } catch {
    return { missing: `the committed ${STORED_FIGURES} cannot be read` };
  }
}

/** A file as the last commit has it. @throws when there is no such file, or no repository */
const showCommitted = (path: string): string =>
  execFileSync('git', ['show', `HEAD:${path}`], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });

/** The last committed run; what later runs wrote over it does not count. */
export function readCommitted(show: (path: string) => string = showCommitted): Before {
  let text: string;
  try {
    text = show(STORED_FIGURES);
  } catch {
    return { missing: `no ${STORED_FIGURES} is committed` };
  }
  return parseFigures(text);
}

/** As JSON, without what is no number: a figure that could not be had is gone, not stored. */
export function storedText({ date, figures }: StoredFigures): string {
  const finite = Object.fromEntries(Object.entries(figures).filter(([, value]) => Number.isFinite(value)));
  return `${JSON.stringify({ date, figures: finite }, null, 2)}\n`;
}

const NOTABLE = 0.1;
/** Of floating point: a change by exactly a tenth is not more than a tenth. */
const EPSILON = 1e-9;

function changeOf(old: number | undefined, value: number | undefined): string | undefined {
  if (old === undefined) return 'new';
  if (value === undefined) return 'gone';
  if (old === value) return undefined;
  if (old === 0) return 'from zero';
  const change = value / old - 1;
  if (Math.abs(change) <= NOTABLE + EPSILON) return undefined;
  return `${change > 0 ? '+' : ''}${Math.round(change * 100)} %`;
}

/** What changed by more than a tenth since then, what came and what went. */
export function comparison(now: Readonly<Record<string, number>>, before: StoredFigures): Table {
  const names = [...new Set([...Object.keys(now), ...Object.keys(before.figures)])];
  const rows = names.flatMap((name) => {
    const old = before.figures[name];
    const value = Number.isFinite(now[name]) ? now[name] : undefined;
    const change = old === undefined && value === undefined ? undefined : changeOf(old, value);
    if (change === undefined) return [];
    return [[name, figure(old ?? Number.NaN), figure(value ?? Number.NaN), change]];
  });
  return { head: ['figure', `of ${before.date}`, 'now', 'change'], rows };
}
