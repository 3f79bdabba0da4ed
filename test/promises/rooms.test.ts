/**
 * Limits how many files a person has to read to follow a submission. If a limit is reached, look for files to merge.
 */

import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { createTestService } from '../support/service/test-service.ts';
import { bundleFunction } from '../support/stack/bundle-function.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const OURS = /^(?:functions|shared)\//;

async function filesEntered(work: () => Promise<unknown>): Promise<string[]> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await session.post('Profiler.takePreciseCoverage');
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
      .map(({ url }) => relative(ROOT, url.startsWith('file:') ? fileURLToPath(url) : url))
      .filter((path) => OURS.test(path))
      .sort();
  } finally {
    await session.post('Profiler.stopPreciseCoverage');
    session.disconnect();
  }
}

it('a warm submit runs code from at most 41 files', async () => {
  const service = await createTestService();
  const survey = aSurvey();
  const { publishableKey: key } = await service.tenant({}, [survey]);
  const tokenOf = async (userId: string): Promise<string> => {
    const { body } = await service.call(bootstrap, { body: { key, userId } });
    return body.showTokens[survey.id];
  };
  const submit = (showToken: string) =>
    service.call(submitResponse, { body: { key, surveyId: survey.id, showToken, rating: 9 } });
  const [first, second] = [await tokenOf('ann'), await tokenOf('bob')];
  expect((await submit(first)).status).toBe(201);

  let status = 0;
  const entered = await filesEntered(async () => {
    ({ status } = await submit(second));
  });
  expect(status).toBe(201);
  expect(entered).toContain('functions/submit-response.ts');
  expect(entered.length, entered.join('\n')).toBeLessThanOrEqual(41);
});

it('the bundle of submit contains at most 79 files', async () => {
  const { inputs } = await bundleFunction('submit-response');
  const carried = inputs.filter((path) => OURS.test(path)).sort();
  expect(carried).toContain('functions/submit-response.ts');
  expect(carried.length, carried.join('\n')).toBeLessThanOrEqual(79);
});
