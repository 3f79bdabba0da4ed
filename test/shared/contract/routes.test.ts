import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROUTES, unknownPathRoute } from '../../../shared/contract/routes.ts';

const FOLDER = join(import.meta.dirname, '../../../shared/contract/routes');

it.each(globSync('*-routes.ts', { cwd: FOLDER }))('lists every route of %s', async (file) => {
  const exported: Record<string, object> = await import(join(FOLDER, file));
  const routes = Object.entries(exported).filter(([name]) => !/Routes$|^unknownPathRoute$/.test(name));
  expect(routes.length).toBeGreaterThan(0);
  for (const [, route] of routes) expect(ROUTES).toContain(route);
});

it('does not list the route for unknown paths', () => {
  expect(ROUTES).not.toContain(unknownPathRoute);
});
