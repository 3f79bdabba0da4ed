/** A test mirrors the path of its source: `test/shared/crypto/cursor.test.ts` tests `shared/crypto/cursor.ts`. */

import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

const CROSS_CUTTING = [
  'architecture/',
  'docs/',
  'soak/',
  'bin/admin/',
  'pages/console/',
  'packages/',
  'bin/supply-chain',
  'lib/cloudformation-schema',
  'sdk/browser/page/',
  'sdk/browser/server-side',
  'sdk/browser/size',
  'sdk/server/portability',
  'bench/scripts',
  'promises/',
  'lib/bundles',
  'lib/deployed-function',
  'lib/edge',
  'lib/grants',
  'lib/new-route',
];

const TESTS = globSync('**/*.test.ts', { cwd: join(ROOT, 'test') }).map((path) => path.replaceAll('\\', '/'));

const subjectOf = (test: string) => test.replace(/(\.[\w-]+)?\.test\.ts$/, '');

const isCrossCutting = (test: string) =>
  CROSS_CUTTING.some((path) => (path.endsWith('/') ? test.startsWith(path) : subjectOf(test) === path));

const isBeside = (path: string) => existsSync(join(ROOT, `${path}.ts`)) || existsSync(join(ROOT, path));

it('places every test at the path of its source', () => {
  const astray = TESTS.filter((test) => !isCrossCutting(test)).filter((test) => {
    const subject = subjectOf(test);
    return !isBeside(subject) && !(subject.startsWith('support/') && isBeside(`test/${subject}`));
  });
  expect(astray).toEqual([]);
});

it('lists only cross-cutting suites that exist', () => {
  expect(CROSS_CUTTING.filter((path) => !TESTS.some((test) => test.startsWith(path)))).toEqual([]);
});
