/** Which version of the command line may change which deployment. */

import { expect, it } from 'vitest';
import { runAdmin } from '../../../bin/admin/program.ts';
import { READING, versionProblem } from '../../../bin/admin/version-check.ts';
import { captureStreams } from '../../support/admin-cli.ts';

it.each<[string, string | undefined]>([
  ['0.1.0', '0.1.0'],
  ['0.1.3', '0.1.0'],
  ['1.4.0', '1.2.9'],
  ['0.2.0', undefined],
])('%s may change a deployment of %s', (ours, deployed) => {
  expect(versionProblem(ours, deployed, 'survey apply')).toBeUndefined();
});

it.each<[string, string]>([
  ['0.2.0', '0.1.9'],
  ['0.1.0', '0.2.0'],
  ['0.1.0', '0.1.1'],
  ['1.2.0', '1.3.0'],
  ['2.0.0', '1.9.0'],
  ['1.0.0', '0.9.0'],
  ['0.1.0', '0.10.0'],
])('%s only reads a deployment of %s, and says which version to use', (ours, deployed) => {
  expect(versionProblem(ours, deployed, 'survey apply')).toContain(`@canvass-surveys/cli@${deployed}`);
  expect(versionProblem(ours, deployed, 'results show')).toBeUndefined();
});

it.each([...READING])('%s, which only reads, is a command', async (path) => {
  const { streams, written } = captureStreams();
  await runAdmin([...path.split(' '), '--help'], streams);
  expect(written().stdout).toContain(`Usage: npm run admin -- ${path} `);
});
