/** Defines which CLI versions may change which deployments. */

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
])('%s only reads a deployment of %s, and names the version to use', (ours, deployed) => {
  expect(versionProblem(ours, deployed, 'survey apply')).toContain(`@canvass-surveys/cli@${deployed}`);
  expect(versionProblem(ours, deployed, 'results show')).toBeUndefined();
});

it('advises to deploy first only when this program is newer', () => {
  expect(versionProblem('0.2.0', '0.1.9', 'survey apply')).toMatch(/cli@0\.1\.9, or deploy 0\.2\.0 first\.$/);
  expect(versionProblem('0.1.0', '0.2.0', 'survey apply')).toMatch(/cli@0\.2\.0\.$/);
  expect(versionProblem('0.1.0', '0.1.1', 'survey apply')).toMatch(/cli@0\.1\.1\.$/);
});

it.each([...READING])('classifies %s as a command that only reads', async (path) => {
  const { streams, written } = captureStreams();
  await runAdmin([...path.split(' '), '--help'], streams);
  expect(written().stdout).toContain(`Usage: npm run admin -- ${path} `);
});

/** Commands that store, delete, send or deploy something, or that need no deployment. */
const OTHERS = (
  'console link, contacts handle, contacts sweep, erasures replay, iam operate, identity secret create, ' +
  'identity secret revoke, import, init, key create, key revoke, probe create, project create, project ensure, ' +
  'project resume, project suspend, project update, purge retry, results link, results recount, ' +
  'retention sweep, smoke, survey apply, survey archive, survey new, survey pause, survey resume, survey types, ' +
  'token-key rotate, webhook resend'
).split(', ');

async function commandsBelow(path: readonly string[]): Promise<readonly string[]> {
  const { streams, written } = captureStreams();
  await runAdmin([...path, '--help'], streams);
  const listed = written().stdout.split('Commands:\n')[1] ?? '';
  const names = [...listed.matchAll(/^ {2}([a-z][\w-]*)/gm)].flatMap(([, name = '']) => name);
  const below = names.filter((name) => name !== 'help').map((name) => commandsBelow([...path, name]));
  return listed === '' ? [path.join(' ')] : (await Promise.all(below)).flat();
}

it('classifies every command as reading or changing', async () => {
  expect([...(await commandsBelow([]))].sort()).toEqual([...READING, ...OTHERS].sort());
});
