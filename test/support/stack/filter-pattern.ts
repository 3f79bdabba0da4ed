/**
 * Supports only the filter patterns of CloudWatch Logs that the stack uses (CloudWatch Logs, "Filter pattern syntax").
 */

import { runInNewContext } from 'node:vm';

type Line = Readonly<Record<string, unknown>>;

const COMPARISON = /\$\.([\w.-]+)\s*(>=|=)\s*("(?:[^"\\]|\\.)*"|[\w.]+)/g;

function isEqual(value: unknown, wanted: string): boolean {
  if (!wanted.startsWith('"')) return value === Number(wanted);
  const text = JSON.parse(wanted);
  const pattern = text.split('*').map((part: string) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  // Only texts match a text pattern, numbers never do.
  return typeof value === 'string' && new RegExp(`^${pattern.join('.*')}$`).test(value);
}

function matchesJson(pattern: string, line: Line): boolean {
  const holds = pattern.replaceAll(COMPARISON, (_, path: string, operator: string, wanted: string) => {
    const value = path.split('.').reduce<unknown>((inner, name) => (inner as Line | undefined)?.[name], line);
    if (operator === '=') return String(isEqual(value, wanted));
    return String(typeof value === 'number' && value >= Number(wanted));
  });
  if (/[^()&| ]/.test(holds.replaceAll(/true|false/g, ''))) throw new Error(`${holds} is left of ${pattern}`);
  return runInNewContext(holds);
}

/** Whether a line matches: by its fields, or by any of several words with a question mark each. */
export function matchesFilter(pattern: string, line: string): boolean {
  if (pattern.startsWith('{')) return matchesJson(pattern.slice(1, -1), JSON.parse(line));
  return pattern.split(' ').some((word) => line.includes(word.replace(/^\?/, '')));
}
