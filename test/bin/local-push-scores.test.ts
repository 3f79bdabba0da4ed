/** Runs `npm start -- --push-scores FILE` as a process, with the real service and a webhook receiver. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { createCanvassClient } from '../../sdk/server/canvass-client.ts';
import { startWebhookStandIn } from '../support/stand-ins/webhook-stand-in.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/local.ts', import.meta.url));

function start(folder: string, ...flags: string[]): ChildProcess {
  const environment: NodeJS.ProcessEnv = { ...process.env };
  delete environment.DYNAMODB_ENDPOINT;
  const child = spawn(
    process.execPath,
    [PROGRAM, '--json', '--empty', '--port', '0', '--data', folder, ...flags],
    {
      env: environment,
    },
  );
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'close');
    }
  });
  return child;
}

/** Returns the first matching line. The stream stays open, because a closed pipe would end a child that writes on. */
async function lineOf(child: ChildProcess, stream: 'stdout' | 'stderr', wanted: string): Promise<string> {
  let text = '';
  for await (const chunk of child[stream]?.iterator({ destroyOnReturn: false }) ?? []) {
    text += chunk;
    const line = text.split('\n').find((each) => each.includes(wanted));
    if (line !== undefined && text.endsWith('\n')) return line;
  }
  throw new Error(`${stream} ended: ${text}`);
}

async function stop(child: ChildProcess): Promise<number | null> {
  const closed = once(child, 'close');
  child.stdout?.resume();
  child.stderr?.resume();
  child.kill('SIGTERM');
  const [status] = await closed;
  return status;
}

it('pushes a new score without waiting for the schedule, logs a line for the run, and stops on a signal', async () => {
  const receiver = await startWebhookStandIn();
  onTestFinished(() => receiver.stop());
  const folder = temporaryFolder();
  const file = join(folder, 'scores.json');
  writeFileSync(file, '[]');
  const child = start(folder, '--push-scores', file);
  const { url, projectId, secretKey, publishableKey, surveys } = JSON.parse(
    await lineOf(child, 'stdout', '"url"'),
  );
  writeFileSync(file, JSON.stringify([{ projectId, destination: receiver.destination }]));
  const surveyId = surveys[0].id;
  const canvass = createCanvassClient({ baseUrl: url, secretKey });
  const { tokens } = await canvass.mintTokens({ respondentId: 'ann', sessionId: 's-1', surveyId });
  const answer = { key: publishableKey, surveyId, showToken: tokens[surveyId], rating: 9, sessionId: 's-1' };
  await fetch(`${url}/v1/sdk/responses`, { method: 'POST', body: JSON.stringify(answer) });
  // The next scheduled run is later than this test's timeout.
  const line = JSON.parse(await lineOf(child, 'stderr', '"polled":1'));
  expect(line).toMatchObject({ message: 'scores', delivered: 1, rejected: 0, left: 0 });
  expect([...receiver.scores.values()]).toMatchObject([{ data: { sessionId: 's-1', rating: 9 } }]);
  expect(await stop(child)).toBe(0);
});

it('refuses to start with an invalid configuration, and prints why', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'scores.json');
  writeFileSync(file, '[{"serviceKey":"svc_pk_x"}]');
  const child = start(folder, '--push-scores', file);
  const errors = await lineOf(child, 'stderr', 'scores.json');
  expect(errors).toContain('0.serviceKey: must be a secret key');
  const [status] = child.exitCode === null ? await once(child, 'close') : [child.exitCode];
  expect(status).toBe(1);
});
