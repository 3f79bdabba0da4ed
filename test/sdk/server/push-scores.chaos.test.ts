/** 1,000 linked answers to a Langfuse that fails in every documented way: each arrives exactly once, none is lost. */

import { expect, it, onTestFinished } from 'vitest';
import { createCanvassClient } from '../../../sdk/server/canvass-client.ts';
import { createLangfuseDestination } from '../../../sdk/server/destinations/langfuse.ts';
import { pushScores } from '../../../sdk/server/push-scores.ts';
import { NO_LIMITS } from '../../support/fixtures/linked-answer.ts';
import { seedAnswers } from '../../support/fixtures/seed-answers.ts';
import { surveyOf } from '../../support/fixtures/tokens.ts';
import { createRandom, SEED } from '../../support/random.ts';
import { serveService } from '../../support/service/served-service.ts';
import { createTestService } from '../../support/service/test-service.ts';
import { FAULTS, startLangfuseStandIn } from '../../support/stand-ins/langfuse-stand-in.ts';
import { createVirtualTimers } from '../../support/virtual-timers.ts';

const ANSWERS = 1_000;
const MINUTE = 60_000;

it('delivers every score exactly once through faults of every kind', async () => {
  const random = createRandom(SEED);
  const service = await createTestService();
  const gateway = await serveService(service);
  onTestFinished(() => gateway.stop(0));
  const tenant = await service.tenant({ limits: NO_LIMITS, rates: { publishable: 0, secret: 0 } });
  const ids = await seedAnswers(service.table, {
    projectId: tenant.project.id,
    surveyIds: [surveyOf(tenant)],
    count: ANSWERS,
    responseOf: (index) => ({
      rating: index % 11,
      attested: { sessionId: `session-${index}`, ...(index % 3 === 0 && { traceId: `trace-${index}` }) },
      score: { state: 'pending', attempts: 0 },
    }),
  });
  service.clock.advance(ANSWERS);
  const answers = new Map(ids.map((id, index) => [id, index % 11]));

  const seen = new Set<string>();
  let calm = false;
  const langfuse = await startLangfuseStandIn({
    faultOf: () => {
      const fault = calm || random() < 0.75 ? undefined : FAULTS[Math.floor(random() * FAULTS.length)];
      if (fault !== undefined) seen.add(fault);
      return fault;
    },
  });
  onTestFinished(() => langfuse.stop());

  const timers = createVirtualTimers(service.clock, random);
  const canvass = createCanvassClient({ baseUrl: gateway.url, secretKey: tenant.secretKey, timers });
  const client: typeof canvass = {
    ...canvass,
    ackScores(results, options) {
      for (const { id, state, error } of results) {
        if (state === 'trying') continue;
        if (state === 'delivered') expect(langfuse.scores.has(id)).toBe(true);
        else expect(error).toContain('HTTP 400: {"message":"Invalid request data"');
      }
      return canvass.ackScores(results, options);
    },
  };
  const { publicKey, secretKey } = langfuse.credentials;
  const destination = createLangfuseDestination({
    baseUrl: langfuse.url,
    publicKey,
    secretKey,
    now: timers.now,
  });
  async function runUntilNothingIsOpen(includeFailed: boolean): Promise<void> {
    let cursor: string | undefined;
    for (let runs = 0, open = true; open; runs += 1) {
      // A hang costs real time, so it costs little.
      const settings = { requestTimeoutMs: 150, stopAt: timers.now() + 50_000, includeFailed };
      const resume = cursor === undefined ? {} : { cursor };
      const report = await pushScores({ client, destination, timers, ...settings, ...resume });
      cursor = report.cursor;
      open =
        cursor !== undefined || (await canvass.pendingScores({ includeFailed, limit: 1 })).scores.length > 0;
      service.clock.advance(MINUTE);
      expect(runs).toBeLessThan(500);
    }
  }

  await runUntilNothingIsOpen(false);
  expect(seen).toEqual(new Set(FAULTS));

  // What Langfuse refused with a 400 is acknowledged as failed; once the cause is gone it is sent again.
  calm = true;
  const { scores: failed } = await canvass.pendingScores({ includeFailed: true, limit: 1 });
  expect(failed).toMatchObject([{ state: 'failed', attempts: 1 }]);
  await runUntilNothingIsOpen(true);
  expect(await canvass.pendingScores({ includeFailed: true })).toEqual({ scores: [] });
  expect(langfuse.scores.size).toBe(ANSWERS);
  for (const [id, rating] of answers) expect(langfuse.scores.get(id)?.value).toBe(rating);
}, 180_000);
