/** docs/contract.md names the gates as the code has them, in the order in which they are checked. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { GATES } from '../../shared/domain/surveys/eligibility.ts';

const CONTRACT = readFileSync('docs/contract.md', 'utf8');

const between = (from: string, to: string): string => {
  const start = CONTRACT.indexOf(from);
  return CONTRACT.slice(start, CONTRACT.indexOf(to, start));
};

it('the table of rules', () => {
  const rows = between('\n## 8. ', '\n- ').split('\n');
  const gates = rows.flatMap((row) => /^\|[^|]+\| `(\w+)`/.exec(row)?.[1] ?? []);
  expect(gates).toEqual([...GATES]);
});

it('the reasons why there is no link', () => {
  const reasons = [...between('in the order of §8:', '.\nNeither').matchAll(/`(\w+)`/g)].map(
    ([, name]) => name,
  );
  expect(reasons).toEqual([...GATES]);
});
