import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { compose } from '../../functions/runtime/compose.ts';
import { createLogger } from '../../functions/runtime/logger.ts';
import { checkConfiguration, startScoreAdapter } from '../../local/score-adapter.ts';
import { createPushSetting, type PushSetting } from '../support/service/push-setting.ts';
import { startWebhookStandIn } from '../support/stand-ins/webhook-stand-in.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let setting: PushSetting;
beforeEach(async () => {
  setting = await createPushSetting();
});
afterEach(() => setting.stop());

function lines() {
  const waiting: ((line: { [field: string]: unknown }) => void)[] = [];
  const come: { [field: string]: unknown }[] = [];
  const log = createLogger((text) => {
    const line = JSON.parse(text);
    const wake = waiting.shift();
    if (wake === undefined) come.push(line);
    else wake(line);
  });
  const next = () =>
    new Promise<{ [field: string]: unknown }>((resolve) => {
      const line = come.shift();
      if (line === undefined) waiting.push(resolve);
      else resolve(line);
    });
  return { log, next };
}

it('runs immediately and on its schedule until it is stopped, and reads the file for each run', async () => {
  const receiver = await startWebhookStandIn();
  onTestFinished(() => receiver.stop());
  const file = join(temporaryFolder(), 'push.json');
  writeFileSync(file, '[]');
  const { log, next } = lines();
  const { config, overrides } = setting.service.service;
  const service = compose(config, { ...overrides, clock: undefined, log });
  const push = startScoreAdapter({ file, service, everyMs: 5 });
  onTestFinished(() => push.stop());
  expect(await next()).toMatchObject({ message: 'scores: no destination is configured' });

  const ids = await setting.answers(2);
  const jobs = [
    { projectId: setting.tenant.project.id, destination: receiver.destination, requestsPerMinute: 0 },
  ];
  writeFileSync(file, JSON.stringify(jobs));
  let line = await next();
  while (line.polled !== 2) line = await next();
  expect(line).toMatchObject({ polled: 2, delivered: 2, rejected: 0, left: 0 });
  expect([...receiver.scores.keys()].toSorted()).toEqual(ids.toSorted());

  await push.stop();
  const requests = receiver.requests();
  await setting.answers(1);
  expect(receiver.requests()).toBe(requests);
});

it('rejects an invalid file with an explanation', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'push.json');
  await expect(checkConfiguration(file)).rejects.toMatchObject({
    code: 'push_scores_file',
    message: expect.stringContaining('cannot be read'),
  });
  writeFileSync(file, '{}');
  await expect(checkConfiguration(file)).rejects.toMatchObject({
    code: 'push_scores_file',
    message: expect.stringContaining('expected array'),
  });
  writeFileSync(file, '[]');
  await checkConfiguration(file);
});
