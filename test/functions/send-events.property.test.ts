/**
 * The queue and the bus throttle, fail, accept only part of a batch or lose replies. In the end the bus has one correct
 * event for every acknowledged answer, and counting was never delayed.
 */

import type { DynamoDBRecord } from 'aws-lambda';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { erase } from '../../functions/erase.ts';
import { onChange } from '../../functions/on-change.ts';
import { answers, revisions } from '../../functions/runtime/parts/answers.ts';
import { scores } from '../../functions/runtime/parts/scores.ts';
import { createEventSender } from '../../functions/send-events.ts';
import { composeTokenId } from '../../shared/crypto/ids.ts';
import {
  createEventBus,
  createEventOutlet,
  createEventQueue,
} from '../../shared/data/events/event-outlet.ts';
import { createSettingsLoader } from '../../shared/data/projects/project-record.ts';
import { codesOf, type Labels } from '../../shared/domain/answers/answer.ts';
import type { RevisedWords } from '../../shared/domain/answers/revision.ts';
import { DAY, HOUR, MINUTE } from '../../shared/domain/duration.ts';
import { aStep } from '../support/a-step.ts';
import { histories } from '../support/depth.ts';
import { checkRules } from '../support/events/documented-rules.ts';
import { FAULTS, FakeAws } from '../support/events/fake-aws.ts';
import { anSqsEvent } from '../support/events/lambda-events.ts';
import { openTestStream, type StreamReader } from '../support/events/test-stream.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { checkWebhook } from '../support/openapi-check.ts';
import { createRandom } from '../support/random.ts';
import { START } from '../support/service/test-clock.ts';
import { createTestService, type Tenant, type TestService } from '../support/service/test-service.ts';
import { createTestTable, type TestTable } from '../support/service/test-table.ts';

const RUNS = histories(5);

const person = fc.constantFrom('ann', 'bob', 'cy', 'dot');
const fault = fc.constantFrom(...FAULTS);
const step = fc.oneof(
  aStep(6, 'answer', { person, dismisses: fc.boolean() }),
  aStep(3, 'revise', { nth: fc.nat(20), withdraws: fc.boolean() }),
  aStep(1, 'fail-score', { nth: fc.nat(20) }),
  aStep(1, 'erase', { person }),
  aStep(3, 'break', { queue: fault, bus: fault }),
  aStep(5, 'deliver', {}),
  aStep(4, 'send', { hours: fc.nat(8) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

let table: TestTable;
let stream: StreamReader;
beforeAll(async () => {
  table = await createTestTable();
  stream = openTestStream(table);
});
afterAll(() => stream.close());

interface Answered {
  readonly id: string;
  readonly tokenId: string;
  readonly respondentId: string;
  readonly attested: { readonly labels: Labels; readonly channel: string };
  revision: number;
}

const REASONS = [
  { code: 'slow', label: 'Too slow' },
  { code: 'wrong', label: 'It was wrong' },
];

class History {
  readonly aws: FakeAws;
  readonly random: () => number;
  readonly #service: TestService;
  readonly #tenant: Tenant;
  readonly #owed = new Map<string, object>();
  readonly #answers: Answered[] = [];
  #waiting: DynamoDBRecord[] = [];
  readonly #delivered: DynamoDBRecord[] = [];
  #counted = 0;
  #now = START;
  #tokens = 0;

  static async begin(seed: number): Promise<History> {
    const random = createRandom(seed);
    const aws = new FakeAws(random);
    const queue = createEventQueue('https://sqs.example/1/events', aws.queue);
    const eventOutlet = createEventOutlet(queue, createEventBus('default', aws.bus));
    const service = await createTestService({ table, eventOutlet });
    const reasonCodes = REASONS.map(({ code }) => code);
    const survey = aSurvey({ reasonCodes }, { reasons: REASONS });
    return new History(aws, random, service, await service.tenant({ limits: NO_LIMITS }, [survey]));
  }

  private constructor(aws: FakeAws, random: () => number, service: TestService, tenant: Tenant) {
    this.aws = aws;
    this.random = random;
    this.#service = service;
    this.#tenant = tenant;
  }

  #pick(count: number): number {
    return Math.floor(this.random() * count);
  }

  async take(step: Step): Promise<void> {
    switch (step.do) {
      case 'answer':
        return this.#answer(step.person, step.dismisses);
      case 'revise':
        return this.#revise(step.nth, step.withdraws);
      case 'fail-score':
        return this.#failScore(step.nth);
      case 'erase':
        return this.#erase(step.person);
      case 'break':
        this.aws.queueFault = step.queue;
        this.aws.busFault = step.bus;
        return;
      case 'deliver':
        return this.#deliver();
      case 'send':
        this.#now += step.hours * HOUR;
        return this.#send();
    }
  }

  async #answer(respondentId: string, dismisses: boolean): Promise<void> {
    const { project, surveys } = this.#tenant;
    this.#tokens += 1;
    const base = {
      tokenId: composeTokenId(START, Buffer.from(String(this.#tokens).padStart(10, '0'))),
      projectId: project.id,
      surveyId: surveys[0]?.id ?? '',
      respondentId,
      at: new Date(START).toISOString(),
      tokenExpiresAt: START + DAY,
    };
    const score = { state: 'pending', attempts: 0 } as const;
    const words = this.#words();
    const attested = { labels: { model: `model-${this.#pick(3)}` }, channel: 'slack' };
    const response = { ...words, ...attested, source: 'sdk', attested: {}, claimed: {}, score } as const;
    const stored = await answers(this.#service.service).redeem(
      dismisses ? { ...base, kind: 'dismissal' } : { ...base, kind: 'response', ...response },
    );
    if (!stored.stored) throw new Error('a fresh token was used');
    const { id } = stored;
    if (dismisses) {
      this.#owed.set(`${id}-dismissed`, { respondentId });
      return;
    }
    this.#answers.push({ id, tokenId: base.tokenId, respondentId, attested, revision: 0 });
    this.#owed.set(`${id}-recorded`, { ...toldOf(words), ...attested, revision: 0 });
  }

  #words(): RevisedWords & { readonly rating: number } {
    const rating = this.#pick(11);
    const given = REASONS.map(({ code }, place) => ({ code, place })).filter(() => this.random() < 0.5);
    const reasons = rating > 6 || given.length === 0 ? undefined : given;
    return { rating, reasons, text: undefined, followUpRequested: undefined, contact: undefined };
  }

  async #revise(nth: number, withdraws: boolean): Promise<void> {
    const answer = this.#answers[nth % (this.#answers.length || 1)];
    if (answer === undefined) return;
    const { id, tokenId, respondentId, attested } = answer;
    const [number, words] = [answer.revision + 1, withdraws ? undefined : this.#words()];
    const outcome = await revisions(this.#service.service).revise({
      projectId: this.#tenant.project.id,
      ...{ tokenId, respondentId, isLinked: true, number, words },
      revisedAt: new Date(START + number).toISOString(),
    });
    if (outcome.kind === 'nothing') return;
    expect(outcome.kind).toBe('stored');
    answer.revision = number;
    const told = { ...toldOf(words), ...attested, revision: number };
    this.#owed.set(`${id}-${withdraws ? 'withdrawn' : 'revised'}-${number}`, told);
  }

  async #failScore(nth: number): Promise<void> {
    const id = this.#answers[nth % (this.#answers.length || 1)]?.id;
    if (id === undefined) return;
    await scores(this.#service.service).acknowledge(this.#tenant.project.id, [{ id, state: 'failed' }]);
  }

  async #erase(respondentId: string): Promise<void> {
    const { secretKey } = this.#tenant;
    const { status, body } = await this.#service.call(erase, { secretKey, query: { respondentId } });
    if (status === 200 && body.responsesDeleted + body.dismissalsDeleted > 0) {
      const told = this.#everywhere().filter(
        ({ detail, 'detail-type': type }) =>
          type === 'Respondent Erased' && detail.respondentId === respondentId,
      );
      expect(told.length).toBeGreaterThan(0);
    }
  }

  #everywhere() {
    return [...this.aws.onBus, ...this.aws.messages.map(({ body }) => JSON.parse(body))];
  }

  /** Delivers in order, like the stream. A failed batch is repeated with other boundaries and older records. */
  async #deliver(isLast = false): Promise<void> {
    const { id } = this.#tenant.project;
    const isOurs = (record: DynamoDBRecord) => JSON.stringify(record.dynamodb).includes(id);
    this.#waiting.push(...(await stream.read()).filter(isOurs));
    const handle = onChange(this.#service.service);
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, 1 + this.#pick(6));
      const again = this.#delivered.slice(-this.#pick(4) || this.#delivered.length);
      const took = await handle({ Records: structuredClone([...again, ...batch]) }).then(
        () => true,
        () => false,
      );
      this.#counted += batch.filter(
        ({ eventName, dynamodb }) =>
          eventName === 'INSERT' &&
          dynamodb?.NewImage?.type?.S === 'response' &&
          !this.#seen.has(dynamodb.SequenceNumber ?? ''),
      ).length;
      for (const { dynamodb } of batch) this.#seen.add(dynamodb?.SequenceNumber ?? '');
      expect(await this.#total()).toBe(this.#counted);
      if (!took && !isLast) return;
      if (!took) throw new Error('a whole queue did not take events');
      this.#delivered.push(...this.#waiting.splice(0, batch.length));
    }
  }

  readonly #seen = new Set<string>();

  async #total(): Promise<number> {
    const { project, surveys } = this.#tenant;
    const settings = await createSettingsLoader(table.table)(project.id);
    return settings?.totals.bySurvey.get(surveys[0]?.id ?? '') ?? 0;
  }

  /** Delivers like Lambda, in batches of ten. Rejected messages are hidden for a minute, and some are duplicated. */
  async #send(): Promise<void> {
    const bus = createEventBus('default', this.aws.bus);
    const send = createEventSender({ bus, clock: () => this.#now, log: { info() {}, error() {} } });
    const visible = this.aws.messages.filter(({ visibleAt }) => visibleAt <= this.#now);
    while (visible.length > 0) {
      const batch = visible.splice(0, 1 + this.#pick(10));
      const { batchItemFailures } = await send(anSqsEvent(batch.map(({ body }) => JSON.parse(body))));
      const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => Number(itemIdentifier)));
      for (const [index, message] of batch.entries()) {
        message.visibleAt = this.#now + MINUTE;
        const comesAgain = failed.has(index) || this.random() < 0.05;
        if (!comesAgain) this.aws.messages.splice(this.aws.messages.indexOf(message), 1);
      }
    }
  }

  async end(): Promise<void> {
    this.aws.queueFault = 'none';
    this.aws.busFault = 'none';
    await this.#deliver(true);
    while (this.aws.messages.length > 0) {
      this.#now += MINUTE;
      await this.#send();
    }
    const byId = Map.groupBy(this.aws.onBus, ({ detail }) => detail.id);
    for (const repeats of byId.values()) {
      for (const event of repeats) expect(event).toEqual(repeats[0]);
      const [event] = repeats;
      if (event === undefined) continue;
      checkWebhook(event['detail-type'], event);
      checkRules(event);
    }
    const isOfAnswers = /Recorded$|^Response/;
    const told = [...byId].filter(([, [event]]) => isOfAnswers.test(event?.['detail-type'] ?? ''));
    expect(told.map(([id]) => id).sort()).toEqual([...this.#owed.keys()].sort());
    for (const [id, [event]] of told) expect(event?.detail).toMatchObject(this.#owed.get(id) ?? {});
  }
}

const toldOf = (words: RevisedWords | undefined) => ({
  rating: words?.rating ?? null,
  reasons: codesOf(words?.reasons) ?? null,
});

it(`sends an event for every acknowledged answer without delaying counts: ${RUNS} random histories`, {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }),
      fc.nat(),
      async (steps, seed) => {
        const history = await History.begin(seed);
        for (const each of steps) await history.take(each);
        await history.end();
      },
    ),
    { numRuns: RUNS },
  );
});
