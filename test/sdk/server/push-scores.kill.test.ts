import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { createLangfuseDestination } from '../../../sdk/server/destinations/langfuse.ts';
import { pushScores } from '../../../sdk/server/push-scores.ts';
import { createPushSetting } from '../../support/service/push-setting.ts';
import { startLangfuseStandIn } from '../../support/stand-ins/langfuse-stand-in.ts';

it('a run killed in the middle of a page, and run again: every score is there exactly once', async () => {
  const setting = await createPushSetting();
  onTestFinished(() => setting.stop());
  const ids = await setting.answers(30);
  let child: ChildProcess | undefined;
  let stored = 0;
  const langfuse = await startLangfuseStandIn({
    onStored() {
      stored += 1;
      // Stored, and neither answered nor acknowledged.
      if (stored === 17) child?.kill('SIGKILL');
    },
  });
  onTestFinished(() => langfuse.stop());

  const settings = { baseUrl: langfuse.url, ...langfuse.credentials };
  const service = { baseUrl: setting.url, secretKey: setting.tenant.secretKey };
  const arguments_ = [
    fileURLToPath(new URL('./push-child.ts', import.meta.url)),
    JSON.stringify({ service, langfuse: settings }),
  ];
  child = spawn(process.execPath, arguments_, { stdio: 'inherit' });
  const [, signal] = await once(child, 'exit');
  expect(signal).toBe('SIGKILL');
  // A page was under way: nothing of it has been acknowledged.
  expect(await setting.open()).toEqual(ids);
  const storedFirst = langfuse.scores.size;
  expect(storedFirst).toBeGreaterThanOrEqual(17);

  const { client, timers } = setting;
  const report = await pushScores({ client, timers, destination: createLangfuseDestination(settings) });
  expect(report).toEqual({ polled: 30, delivered: 30, rejected: 0, left: 0 });
  expect([...langfuse.scores.keys()].toSorted()).toEqual(ids.toSorted());
  // Some came twice, and replaced themselves.
  expect(langfuse.requests()).toBeGreaterThanOrEqual(30 + storedFirst);
  expect(await setting.open(true)).toEqual([]);
});
