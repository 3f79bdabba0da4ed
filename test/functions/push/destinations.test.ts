/**
 * In the end each destination has one score for each current rating, and none that was withdrawn or erased.
 * `MODEL_RUNS` sets the number of histories.
 */

import { expect, it } from 'vitest';
import { erase } from '../../../functions/erase.ts';
import { readPushEntries } from '../../../functions/push/adapter-configuration.ts';
import { runScoreAdapter } from '../../../functions/push/run-score-adapter.ts';
import { compose } from '../../../functions/runtime/compose.ts';
import { createLogger } from '../../../functions/runtime/logger.ts';
import { withdrawals } from '../../../functions/runtime/parts/scores.ts';
import { type PushOptions, pushScores } from '../../../shared/delivery/push-scores.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../shared/domain/duration.ts';
import { histories } from '../../support/depth.ts';
import { createCrashingClient } from '../../support/faults/failing-client.ts';
import { anId, aSurvey } from '../../support/fixtures/builders.ts';
import { linkedAnswer } from '../../support/fixtures/linked-answer.ts';
import { revise, waiting } from '../../support/fixtures/revising.ts';
import { createRandom, SEED } from '../../support/random.ts';
import { createPushSetting } from '../../support/service/push-setting.ts';
import { createVirtualTimers } from '../../support/service/test-clock.ts';
import { createTestService } from '../../support/service/test-service.ts';
import { startLangfuseStandIn } from '../../support/stand-ins/langfuse-stand-in.ts';
import { said, startOtlpStandIn } from '../../support/stand-ins/otlp-stand-in.ts';
import { startWebhookStandIn } from '../../support/stand-ins/webhook-stand-in.ts';

const STEPS = 60;
const HISTORIES = histories(2);

interface World {
  readonly now: () => number;
  readonly random: () => number;
  readonly fault: <Fault>(faults: readonly Fault[]) => Fault | undefined;
}

interface Told {
  readonly rating: unknown;
  readonly reasons: unknown;
  readonly model: unknown;
}

interface Standing {
  readonly settings: object;
  readonly current: (id: string) => readonly Told[];
  readonly stop: () => Promise<void>;
}

async function langfuse({ now, random, fault }: World): Promise<Standing> {
  const standIn = await startLangfuseStandIn({
    now,
    faultOf: () => fault(['400', '401', '429 json', '429 text', '503', 'reset', 'lost', 'lost'] as const),
    ingestionMs: () => random() * 15 * SECOND,
    deletionMs: () => random() * 12 * SECOND,
  });
  return {
    settings: { type: 'langfuse', baseUrl: standIn.url, ...standIn.credentials },
    current: (id) =>
      standIn.all(id).map(({ value, metadata: { reasons = null, labels } }) => ({
        rating: value,
        reasons,
        model: Object(labels).model,
      })),
    stop: standIn.stop,
  };
}

async function webhook({ fault }: World): Promise<Standing> {
  const standIn = await startWebhookStandIn(() =>
    fault(['400', '401', '429', '503', 'reset', 'lost', 'lost'] as const),
  );
  return {
    settings: standIn.destination,
    current(id) {
      const { data } = standIn.scores.get(id) ?? {};
      const { rating, reasons, labels } = data ?? {};
      return data === undefined ? [] : [{ rating, reasons, model: Object(labels).model }];
    },
    stop: standIn.stop,
  };
}

/** The highest revision in the log is current. */
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
      const told = latest.flatMap((record) => {
        const rating = said(record, 'gen_ai.evaluation.score.value');
        const reasons = said(record, 'canvass.reasons') ?? null;
        const model = said(record, 'canvass.label.model');
        return rating === undefined ? [] : JSON.stringify({ rating: Number(rating), reasons, model });
      });
      return [...new Set(told)].map((text): Told => JSON.parse(text));
    },
    stop: standIn.stop,
  };
}

interface Words {
  readonly rating: number;
  readonly reasons: readonly string[];
}

const REASONS = [
  { code: 'slow', label: 'Too slow' },
  { code: 'wrong', label: 'It was wrong' },
];
const CODES = REASONS.map(({ code }) => code);

function keptOf({ rating, reasons }: Words): readonly string[] | null {
  const kept = rating > 6 ? [] : CODES.filter((code) => reasons.includes(code));
  return kept.length === 0 ? null : kept;
}

interface Given {
  readonly person: string;
  readonly showToken: string;
  readonly attested: Readonly<Record<string, unknown>>;
  readonly model: string;
  revision: number;
  /** Undefined if the answer was withdrawn. */
  words: Words | undefined;
}

async function playHistory(start: (world: World) => Promise<Standing>, seed: number): Promise<void> {
  const random = createRandom(seed);
  const one = (most: number) => Math.floor(random() * most);
  const setting = await createPushSetting([aSurvey({ reasonCodes: CODES }, { reasons: REASONS })]);
  const { service, tenant } = setting;
  const { clock, table } = service;
  let isCalm = false;
  const standing = await start({
    now: clock.now,
    random,
    fault: (faults) => (isCalm || random() < 0.7 ? undefined : faults[one(faults.length)]),
  });

  const job = { requestsPerMinute: 0, includeFailed: true };
  const list = JSON.stringify([{ projectId: tenant.project.id, destination: standing.settings, ...job }]);
  const timers = createVirtualTimers(clock);
  async function run(client = table.client): Promise<void> {
    const { config, overrides } = service.service;
    const log = createLogger(() => undefined);
    const instance = compose(config, { ...overrides, client, log });
    const adapter = { service: instance, readConfiguration: async () => list, runId: anId, timers };
    await runScoreAdapter(adapter, 2 * MINUTE).catch(() => undefined);
  }
  async function pushOverHttp(): Promise<void> {
    const destination = readPushEntries(list, clock.now)[0]?.destination;
    if (destination === undefined) throw new Error('there is a job');
    const [last, isTold] = [one(30), random() < 0.5];
    let calls = 0;
    const client: PushOptions['client'] = {
      ...setting.client,
      async ackScores(...ack) {
        calls += 1;
        if (calls > last && !isTold) throw new Error('a crash');
        const reply = await setting.client.ackScores(...ack);
        if (calls > last) throw new Error('a crash');
        return reply;
      },
    };
    await pushScores({ client, destination, timers, stopAt: clock.now() + 100 * SECOND, ...job }).catch(
      () => undefined,
    );
  }
  const crashing = () =>
    createCrashingClient(table.endpoint, { call: 1 + one(25), when: random() < 0.5 ? 'before' : 'after' })
      .client;

  const answers = new Map<string, Given>();
  const erased = new Set<string>();
  let isOpen = true;
  const words = (): Words => ({
    rating: one(11),
    reasons: ['unknown', ...CODES].filter(() => random() < 0.5),
  });
  const anyAnswer = () => [...answers][one(answers.size)];
  async function answer(): Promise<void> {
    if (!isOpen) return;
    const [person, model, submission] = [anId(), `model-${one(3)}`, words()];
    // The service ignores labels that the page sends.
    const claimed = { labels: { model: 'claimed' } };
    const mint = { respondentId: person, sessionId: anId() };
    const given = await linkedAnswer(service, tenant, {
      mint,
      labels: { model },
      submission: { ...submission, ...claimed },
    });
    answers.set(given.id, { ...given, person, model, words: submission, revision: 0 });
  }
  async function change(next: Words | undefined): Promise<void> {
    const given = anyAnswer()?.[1];
    if (given === undefined) return;
    const { showToken, attested } = given;
    const revision = given.revision + 1;
    const fields = { ...attested, ...(next ?? { withdraw: true }), revision };
    const { status } = await revise({ service, tenant }, showToken, fields);
    // The token may have expired.
    expect([200, 401]).toContain(status);
    if (status === 200) Object.assign(given, { words: next, revision });
  }
  const eraseBy = (query: Record<string, string>) =>
    service.call(erase, { secretKey: tenant.secretKey, query });
  async function forget(isCutShort: boolean): Promise<void> {
    const [id, given] = anyAnswer() ?? [];
    if (id === undefined || given === undefined) return;
    const query = { respondentId: given.person };
    if (isCutShort) {
      const broken = await createTestService({ table, clock, client: crashing() });
      await broken.call(erase, { secretKey: tenant.secretKey, query });
      clock.advance(one(10 * MINUTE));
      await run();
    }
    // The interrupted request may have completed.
    expect([200, ...(isCutShort ? [404] : [])]).toContain((await eraseBy(query)).status);
    answers.delete(id);
    erased.add(id);
  }
  async function forgetSurvey(): Promise<void> {
    if (!isOpen || random() > 0.2) return;
    isOpen = false;
    const { status } = await eraseBy({ surveySlug: tenant.surveys[0]?.content.slug ?? '' });
    expect(status).toBe(200);
    for (const id of answers.keys()) erased.add(id);
    answers.clear();
  }
  const toMidnight = () => DAY - (clock.now() % DAY);
  const steps: readonly (() => Promise<void> | void)[] = [
    ...[answer, answer, answer],
    ...[() => change(words()), () => change(words()), () => change(undefined), () => change(undefined)],
    ...[() => run(), () => run(), () => run(crashing()), () => run(crashing()), pushOverHttp, pushOverHttp],
    ...[() => forget(false), () => forget(true), forgetSurvey],
    () => clock.advance(one(20 * SECOND)),
    () => clock.advance(one(3 * MINUTE)),
    () => clock.advance(one(HOUR)),
    () => clock.advance(Math.max(0, toMidnight() - one(2 * MINUTE))),
  ];
  // Registers the adapter before the first push or erasure.
  await run();
  for (let step = 0; step < STEPS; step += 1) await steps[one(steps.length)]?.();

  isCalm = true;
  const open = () => waiting({ service, tenant }, { includeFailed: 'true' });
  for (let round = 0; round < 40; round += 1) {
    clock.advance(6 * MINUTE);
    await run();
    if ((await open()).length === 0 && (await withdrawals(service.service).projects()).length === 0) break;
  }
  clock.advance(MINUTE);
  expect(await open()).toEqual([]);
  const current = (ids: Iterable<string>) =>
    Object.fromEntries([...ids].map((id) => [id, standing.current(id)]));
  const stands = [...answers].map(([id, { words: last, model }]): [string, Told[]] => [
    id,
    last === undefined ? [] : [{ rating: last.rating, reasons: keptOf(last), model }],
  ]);
  expect(current(answers.keys())).toEqual(Object.fromEntries(stands));
  expect(current(erased)).toEqual(Object.fromEntries([...erased].map((id) => [id, []])));
  await standing.stop();
  await setting.stop();
}

it.each([
  ['Langfuse', langfuse],
  ['a webhook', webhook],
  ['OTLP', otlp],
])(
  '%s ends up with the current answer, exactly once',
  async (_name, start) => {
    for (let history = 0; history < HISTORIES; history += 1) {
      const seed = SEED + history;
      await playHistory(start, seed).catch((cause: unknown) => {
        throw new Error(`seed ${seed}: ${cause instanceof Error ? cause.message : ''}`, { cause });
      });
    }
  },
  120_000 * HISTORIES,
);
