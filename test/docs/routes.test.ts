/** docs/contract.md lists the same routes as the route table, and the eligibility rules in the order of the code. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { pathsOf, type Route, refusalsOf, statusOf } from '../../shared/contract/route.ts';
import { ROUTES } from '../../shared/contract/routes.ts';
import { GATES } from '../../shared/domain/surveys/eligibility.ts';
import { routeRows } from '../support/markdown.ts';

const keyOf = ({ key, readers, editors }: Route) =>
  [key ?? 'none', ...(readers ? ['reader'] : []), ...(editors ? ['editor'] : [])].join(', ');

/** Faults of the service are listed once, in §4.3. */
const statusesOf = (route: Route) =>
  [
    ...new Set([
      route.success.status,
      ...(route.success.tagged ? [304] : []),
      ...refusalsOf(route).map((code) => statusOf(code, route)),
    ]),
  ]
    .filter((status) => status < 500)
    .toSorted()
    .join(', ');

it('lists every route of the contract with the key that opens it and its statuses', () => {
  const listed = routeRows('docs/contract.md').flatMap(({ requests, cells }) =>
    requests.map((request) => `${request} ${cells[1]}: ${cells[2]}`),
  );
  const expected = ROUTES.flatMap((route) =>
    pathsOf(route).map(({ method, path }) => `${method} ${path} ${keyOf(route)}: ${statusesOf(route)}`),
  );
  expect(listed.toSorted()).toEqual(expected.toSorted());
});

it('lists the rules of eligibility in the order in which they are checked', () => {
  const contract = readFileSync('docs/contract.md', 'utf8');
  const section = contract.slice(contract.indexOf('\n## 8. '), contract.indexOf('\n## 9. '));
  expect([...section.matchAll(/^\|[^|]+\| `(\w+)`/gm)].map(([, rule]) => rule)).toEqual([...GATES]);
});
