import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { functionNames, writeFunctionBundles } from '../../../bin/build/function-bundles.ts';
import { thirdPartyLicences } from '../../../bin/build/third-party.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it('writes every function with its map, keeps unchanged files, and removes all others', async () => {
  const folder = temporaryFolder();
  const metafile = await writeFunctionBundles(folder);
  const files = functionNames().flatMap((name) => [`${name}/index.js`, `${name}/index.js.map`]);
  expect(files.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
  const { sources } = JSON.parse(readFileSync(join(folder, 'purge/index.js.map'), 'utf8'));
  expect(sources).toContain('../../../../functions/purge.ts');

  const [kept = '', changed = ''] = ['bootstrap', 'erase'].map((name) => join(folder, name, 'index.js'));
  const bundle = readFileSync(changed, 'utf8');
  const stray = join(folder, 'gone/index.js');
  mkdirSync(join(folder, 'gone'));
  for (const file of [changed, stray]) writeFileSync(file, 'old');
  utimesSync(kept, 1, 1);
  await writeFunctionBundles(folder);
  expect(statSync(kept).mtimeMs).toBe(1_000);
  expect([readFileSync(changed, 'utf8') === bundle, existsSync(stray)]).toEqual([true, false]);

  const licences = thirdPartyLicences(metafile);
  for (const name of ['@aws-sdk/client-dynamodb', '@smithy/core', '@middy/core', 'zod', 'jose'])
    expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\((MIT|Apache-2\\.0)\\)$`, 'm'));
  expect(licences).toContain('Copyright (c) 2017-2026 [will Farrell]');
  expect(licences).toContain('TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION');
});
