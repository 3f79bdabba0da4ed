import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROUTES, unknownPathRoute } from '../../../shared/contract/routes.ts';

const FOLDER = join(import.meta.dirname, '../../../shared/contract/routes');

it.each(globSync('*-routes.ts', { cwd: FOLDER }))('every route of %s is in the table', async (file) => {
  const exported: Record<string, object> = await import(join(FOLDER, file));
  const routes = Object.entries(exported).filter(([name]) => !/Routes$|^unknownPathRoute$/.test(name));
  expect(routes.length).toBeGreaterThan(0);
  for (const [, route] of routes) expect(ROUTES).toContain(route);
});

it('what no route names is no route of the table', () => {
  expect(ROUTES).not.toContain(unknownPathRoute);
});
