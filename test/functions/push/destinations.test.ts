/**
 * A random schedule of answers, changes of mind, erasures, faults, crashes and days: in the end each destination has
 * exactly one current score for each rating that stands, and none for one that was withdrawn or erased.
 */

import { randomInt } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { erase } from '../../../functions/erase.ts';
import { runScoreAdapter } from '../../../functions/push/score-adapter.ts';
import { compose, withdrawals } from '../../../functions/runtime/compose.ts';
import { createLogger } from '../../../functions/runtime/logger.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../shared/domain/duration.ts';
import { anId } from '../../support/builders.ts';
import { createCrashingClient } from '../../support/faults/crashing-client.ts';
import { startLangfuseStandIn } from '../../support/langfuse-stand-in.ts';
import { said, startOtlpStandIn } from '../../support/otlp-stand-in.ts';
import { createRandom } from '../../support/random.ts';
import { revise } from '../../support/revising.ts';
import { createScorePush } from '../../support/score-push.ts';
import { submit } from '../../support/submission.ts';
import { boundTokenOf } from '../../support/tokens.ts';
import { createVirtualTimers } from '../../support/virtual-timers.ts';
import { startWebhookStandIn } from '../../support/webhook-stand-in.ts';

const STEPS = 90;

interface World {
  readonly now: () => number;
  readonly random: () => number;
  /** One of these, or none. */
  readonly fault: <Fault>(faults: readonly Fault[]) => Fault | undefined;
}

interface Standing {
  readonly settings: object;
  /** The ratings that are current of a score. */
  readonly current: (id: string) => readonly number[];
  readonly stop: () => Promise<void>;
}

async function langfuse({ now, random, fault }: World): Promise<Standing> {
  const standIn = await startLangfuseStandIn({
    now,
    faultOf: () => fault(['400', '401', '429 json', '503', 'reset', 'lost', 'lost'] as const),
    ingestionMs: () => random() * 15 * SECOND,
    deletionMs: () => random() * 12 * SECOND,
  });
  return {
    settings: { type: 'langfuse', baseUrl: standIn.url, ...standIn.credentials },
    current: (id) => standIn.all(id).map(({ value }) => value),
    stop: standIn.stop,
  };
}

async function webhook({ fault }: World): Promise<Standing> {
  const standIn = await startWebhookStandIn(() =>
    fault(['400', '401', '429', '503', 'reset', 'lost', 'lost'] as const),
  );
  return {
    settings: {
      type: 'webhook',
      url: standIn.url,
      secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
    },
    current: (id) => [standIn.scores.get(id)?.rating ?? []].flat(),
    stop: standIn.stop,
  };
}

/** Of a log, the current record of a score is that of the highest revision; one that was erased has none. */
async function otlp({ fault }: World): Promise<Standing> {
  const standIn = await startOtlpStandIn(() =>
    fault(['400', '401', '429', '503', 'partial', 'reset', 'lost', 'lost'] as const),
  );
  return {
    settings: { type: 'otlp', url: standIn.url },
    current(id) {
      const records = standIn.records.filter((record) => said(record, 'canvass.score.id') === id);
      const revisionOf = (record: (typeof records)[number]) =>
        Number(said(record, 'canvass.revision') ?? Number.POSITIVE_INFINITY);
      const highest = Math.max(...records.map(revisionOf));
      const latest = records.filter((record) => revisionOf(record) === highest);
      const values = latest.map((record) => said(record, 'gen_ai.evaluation.score.value'));
      return [...new Set(values)].flatMap((value) => (value === undefined ? [] : [Number(value)]));
    },
    stop: standIn.stop,
  };
}

it.each([
  ['Langfuse', langfuse],
  ['a webhook', webhook],
  ['OTLP', otlp],
])(
  '%s ends with what stands, once',
  async (_name, start) => {
    const seed = randomInt(2 ** 31);
    const random = createRandom(seed);
    const setting = await createScorePush();
    onTestFinished(setting.stop);
    const { service, tenant } = setting;
    const { clock, table } = service;
    let isCalm = false;
    const standing = await start({
      now: clock.now,
      random,
      fault: (faults) =>
        isCalm || random() < 0.7 ? undefined : faults[Math.floor(random() * faults.length)],
    });
    onTestFinished(standing.stop);

    const list = [
      {
        projectId: tenant.project.id,
        destination: standing.settings,
        requestsPerMinute: 0,
        includeFailed: true,
      },
    ];
    async function run(client = table.client): Promise<void> {
      const { settings, overrides } = service.service;
      const log = createLogger(() => undefined);
      await runScoreAdapter(
        {
          service: compose(settings, { ...overrides, client, log }),
          readConfiguration: async () => JSON.stringify(list),
          runId: anId,
          timers: createVirtualTimers(clock),
        },
        2 * MINUTE,
      ).catch(() => undefined);
    }
    function crashing() {
      const call = 1 + Math.floor(random() * 25);
      const when = random() < 0.5 ? 'before' : 'after';
      return createCrashingClient(table.endpoint, { call, when }).client;
    }

    interface Given {
      readonly person: string;
      readonly showToken: string;
      readonly session: { readonly sessionId: string };
      /** Undefined where it was withdrawn. */
      rating: number | undefined;
      revision: number;
    }
    const caller = { service, tenant };
    const answers = new Map<string, Given>();
    const erased = new Set<string>();
    async function answer(): Promise<void> {
      const [person, session, rating] = [anId(), { sessionId: anId() }, Math.floor(random() * 11)];
      const showToken = await boundTokenOf(service, tenant, { respondentId: person, ...session });
      const { id } = (await submit(caller, showToken, { ...session, rating })).body;
      answers.set(id, { person, showToken, session, rating, revision: 0 });
    }
    /** The latest answers most of all: the tokens of older ones have expired. */
    async function changeMind(): Promise<void> {
      const given = [...answers.values()].at(-1 - Math.floor(random() * Math.min(4, answers.size)));
      if (given === undefined) return;
      const rating = random() < 0.5 ? undefined : Math.floor(random() * 11);
      const words = rating === undefined ? { withdraw: true } : { rating };
      const fields = { revision: given.revision + 1, ...words, ...given.session };
      const { status } = await revise(caller, given.showToken, fields);
      expect([200, 401]).toContain(status);
      if (status === 200) Object.assign(given, { rating, revision: given.revision + 1 });
    }
    async function forget(): Promise<void> {
      const [id, given] = [...answers][Math.floor(random() * answers.size)] ?? [];
      if (id === undefined || given === undefined) return;
      const query = { respondentId: given.person };
      expect((await service.call(erase, { secretKey: tenant.secretKey, query })).status).toBe(200);
      answers.delete(id);
      erased.add(id);
    }
    const toMidnight = () => DAY - (clock.now() % DAY);
    const steps: readonly (() => Promise<void> | void)[] = [
      answer,
      answer,
      answer,
      changeMind,
      changeMind,
      changeMind,
      () => run(),
      () => run(),
      () => run(crashing()),
      () => run(crashing()),
      forget,
      () => clock.advance(Math.floor(random() * 3 * MINUTE)),
      () => clock.advance(Math.floor(random() * HOUR)),
      () => clock.advance(Math.max(0, toMidnight() - Math.floor(random() * 2 * MINUTE))),
    ];
    // The adapter serves the project before anything is pushed or erased.
    await run();
    for (let step = 0; step < STEPS; step += 1) await steps[Math.floor(random() * steps.length)]?.();

    isCalm = true;
    for (let round = 0; round < 40; round += 1) {
      clock.advance(6 * MINUTE);
      await run();
      const isDone = (await setting.open(true)).length === 0;
      if (isDone && (await withdrawals(service.service).projects()).length === 0) break;
    }
    clock.advance(MINUTE);
    expect(await setting.open(true), `seed ${seed}`).toEqual([]);
    const stands = [...answers].map(([id, { rating }]) => [id, rating === undefined ? [] : [rating]]);
    expect(
      Object.fromEntries([...answers.keys()].map((id) => [id, standing.current(id)])),
      `seed ${seed}`,
    ).toEqual(Object.fromEntries(stands));
    expect(Object.fromEntries([...erased].map((id) => [id, standing.current(id)])), `seed ${seed}`).toEqual(
      Object.fromEntries([...erased].map((id) => [id, []])),
    );
  },
  120_000,
);
