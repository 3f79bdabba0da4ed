/**
 * A test lies where the file, or the folder, that it is about lies: `shared/crypto/cursor.ts` has
 * `test/shared/crypto/cursor.test.ts`.
 */

import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** Folders and suites about more than one file; each says in its first lines what it is about. */
const CROSS_CUTTING = [
  'architecture/',
  'docs/',
  'soak/',
  // By what an operator types, and by what a visitor does in a browser.
  'bin/admin/',
  'bin/local-push-scores',
  'pages/console/',
  // By what is published, as its users have it.
  'packages/',
  'bin/supply-chain',
  'lib/cloudformation-schema',
  'sdk/browser/page/',
  'sdk/browser/server-side',
  'sdk/browser/size',
  'sdk/server/portability',
  'bench/arithmetic',
  'bench/scripts',
  // What the service promises, whichever function keeps it.
  'promises/',
  // Of a whole stack, or of every function's bundle.
  'lib/bundles',
  'lib/deployed-function',
  'lib/edge',
  'lib/existing-data',
  'lib/grants',
  'lib/new-route',
];

const TESTS = globSync('**/*.test.ts', { cwd: join(ROOT, 'test') }).map((path) => path.replaceAll('\\', '/'));

/** `runtime/pipeline.metrics.test.ts` is about one aspect of `runtime/pipeline.ts`. */
const subjectOf = (test: string) => test.replace(/(\.[\w-]+)?\.test\.ts$/, '');

const isCrossCutting = (test: string) =>
  CROSS_CUTTING.some((path) => (path.endsWith('/') ? test.startsWith(path) : subjectOf(test) === path));

const isBeside = (path: string) => existsSync(join(ROOT, `${path}.ts`)) || existsSync(join(ROOT, path));

it('every test lies where its source lies', () => {
  const astray = TESTS.filter((test) => !isCrossCutting(test)).filter((test) => {
    const subject = subjectOf(test);
    return !isBeside(subject) && !(subject.startsWith('support/') && isBeside(`test/${subject}`));
  });
  expect(astray).toEqual([]);
});

it('every cross-cutting suite is there', () => {
  const gone = CROSS_CUTTING.filter((path) => !TESTS.some((test) => test.startsWith(path)));
  expect(gone).toEqual([]);
});
