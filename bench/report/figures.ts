/** The figures of a run that the next one is compared with. */

import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { figure, type Table } from './section.ts';

const storedFigures = z.object({ date: z.string(), figures: z.record(z.string(), z.number()) });

export type StoredFigures = z.infer<typeof storedFigures>;

export function readFigures(file: string): StoredFigures | undefined {
  try {
    return storedFigures.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

export function writeFigures(file: string, stored: StoredFigures): void {
  writeFileSync(file, `${JSON.stringify(stored, null, 2)}\n`);
}

/** What changed by more than a tenth since then. */
export function comparison(now: Readonly<Record<string, number>>, before: StoredFigures): Table {
  const rows = Object.entries(now).flatMap(([name, value]) => {
    const old = before.figures[name];
    if (old === undefined || old === 0) return [];
    const change = value / old - 1;
    if (Math.abs(change) <= 0.1) return [];
    return [[name, figure(old), figure(value), `${change > 0 ? '+' : ''}${Math.round(change * 100)} %`]];
  });
  return { head: ['figure', `of ${before.date}`, 'now', 'change'], rows };
}
