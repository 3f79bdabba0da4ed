/** The contract and the README name every route of the table, and the key that opens it. */

import { expect, it } from 'vitest';
import { pathsOf, type Route } from '../../shared/contract/route.ts';
import { ROUTES } from '../../shared/contract/routes.ts';
import { routeRows } from '../support/route-rows.ts';

const keyOf = ({ key, readers, editors }: Route) =>
  [key ?? 'none', ...(readers ? ['reader'] : []), ...(editors ? ['editor'] : [])].join(', ');

it.each([
  ['docs/contract.md', ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']],
  ['README.md', ['GET', 'POST', 'PUT', 'DELETE']],
])('%s lists every route, and the key that opens it', (document, methods) => {
  const listed = routeRows(document).flatMap(({ requests, cells }) =>
    requests.map((request) => `${request} ${cells[1]}`),
  );
  const said = ROUTES.flatMap((route) =>
    pathsOf(route)
      .filter(({ method }) => methods.includes(method))
      .map(({ method, path }) => `${method} ${path} ${keyOf(route)}`),
  );
  expect(listed.toSorted()).toEqual(said.toSorted());
});
