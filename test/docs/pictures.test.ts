/** Pictures at the head of the README end where the others end, on a phone as well. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const [head = ''] = readme.split('\n## ');
/** GitHub's column at its widest, in pixels. */
const COLUMN = 838;

it('pictures at the head of the README have the same edges, each with one of its own for a phone', () => {
  const widths = [...head.matchAll(/<img width="(\d+)"/g)].map(([, width]) => Number(width));
  expect(widths.length).toBeGreaterThan(1);
  expect(new Set(widths).size).toBe(1);
  expect(widths[0]).toBeLessThan(COLUMN);
  expect(head.match(/<source media="\(max-width: 600px\)" srcset/g)).toHaveLength(widths.length);
});
