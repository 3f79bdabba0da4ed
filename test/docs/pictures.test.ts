/** What stands beside each other at the head of the README ends where the wider pictures end. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const [head = ''] = readme.split('\n## ');
/** GitHub's column at its widest, and three spaces of its fonts (pixels): one more would break the line. */
const [COLUMN, GAP] = [838, 13];

it('pictures at the head of the README have the same edges, with a gap between the two that stand beside each other', () => {
  const widths = [...head.matchAll(/<img width="(\d+)"/g)].map(([, width]) => Number(width));
  const [left = 0, right = 0, ...full] = widths;
  expect(full.length).toBeGreaterThan(0);
  for (const width of full) expect(width).toBe(left + GAP + right);
  expect(Math.max(...full)).toBeLessThan(COLUMN);
  expect(head).toMatch(/<\/picture>\n {2}&nbsp;\n {2}<picture>/);
});
