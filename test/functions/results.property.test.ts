/**
 * Stream batches arrive out of order, repeated and after failures, while recounts overlap and are killed. In the end
 * results equal a count of the rows, and no purged data is left.
 */

import type { DynamoDBRecord } from 'aws-lambda';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { erase } from '../../functions/erase.ts';
import { getResults } from '../../functions/get-results.ts';
import { listComments } from '../../functions/list-comments.ts';
import { listContacts } from '../../functions/list-contacts.ts';
import { onChange } from '../../functions/on-change.ts';
import { compose } from '../../functions/runtime/compose.ts';
import type { Endpoint } from '../../functions/runtime/endpoint.ts';
import { answers, imports } from '../../functions/runtime/parts/answers.ts';
import { contactSweep } from '../../functions/runtime/parts/contacts.ts';
import { counts, surveyCountings } from '../../functions/runtime/parts/results.ts';
import { scores } from '../../functions/runtime/parts/scores.ts';
import { openStream, type StreamSource } from '../../local/stream/source.ts';
import { respondentHash } from '../../shared/crypto/derive.ts';
import { composeTokenId } from '../../shared/crypto/ids.ts';
import { equalTo } from '../../shared/data/table/expressions.ts';
import type { Row } from '../../shared/data/table/row.ts';
import { tombstoneItem } from '../../shared/data/table/row.ts';
import { answerKey, type Key, projectKey, surveyKey } from '../../shared/data/table/schema.ts';
import { dayAt } from '../../shared/domain/days.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../shared/domain/duration.ts';
import { countIn } from '../../shared/domain/results/contribution.ts';
import { changeRetention, completeFromOf, isGone, type Retention } from '../../shared/domain/retention.ts';
import type { Segment } from '../../shared/domain/surveys/segments.ts';
import type { Survey } from '../../shared/domain/surveys/survey.ts';
import { aStep } from '../support/a-step.ts';
import { histories } from '../support/depth.ts';
import { createClientAround } from '../support/faults/failing-client.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import {
  isAnswered,
  recount,
  recountComments,
  recountDays,
  recountDifference,
  recounted,
  recountReason,
  recountValue,
  shownResults,
} from '../support/model/recount.ts';
import { createRandom } from '../support/random.ts';
import { scanAll } from '../support/scan-all.ts';
import { createPurgeService, type PurgeService } from '../support/service/purge-service.ts';
import { type SteppedRecount, startRecount } from '../support/service/stepped-recount.ts';
import { TEST_HASH_SECRET } from '../support/service/test-secrets.ts';
import { type Tenant, testConfig } from '../support/service/test-service.ts';
import type { Item } from '../support/service/test-table.ts';

const RUNS = histories(4);
const HISTORIES_OF_A_TABLE = 10;
const PEOPLE = ['ann', 'ben', 'cy', 'dot'] as const;
const PLANS = ['free', 'pro', 'enterprise', undefined] as const;
const KINDS = ['identified', 'anon-device', undefined] as const;
const MODELS = ['a', 'b', 'c', undefined] as const;
const CHANNELS = ['slack', undefined] as const;
/** Each wait takes 40 days, and one query covers a limited period. */
const MOST_LONG_WAITS = 6;
const IS_RESPONSE = { text: '#type = :type', values: { type: 'response' } };
const SEGMENTS: Segment[] = [
  { name: 'plan', values: [{ text: 'free' }, { text: 'pro' }] },
  { name: 'model', from: 'label', values: [{ text: 'a' }, { text: 'b' }] },
  { name: 'how', from: 'channel', values: [{ text: 'slack' }] },
];

const person = fc.constantFrom(...PEOPLE);
const survey = fc.nat({ max: 2 });
const daysAgo = fc.nat({ max: 3 });
const REASONS = ['slow', 'wrong', 'rude'].map((code, place) => ({ code, place }));
const labelOf = (code: string): string => (code === 'rude' ? code : `It was ${code}`);
const LISTED = ['slow', 'wrong'].map((code) => ({ code, label: labelOf(code) }));
const reasons = fc.subarray(REASONS).map((given) => (given.length === 0 ? undefined : given));
const calls = fc.integer({ min: 1, max: 12 });

const step = fc.oneof(
  aStep(8, 'answer', {
    person,
    survey,
    rating: fc.nat({ max: 10 }),
    text: fc.constantFrom(undefined, 'words', ' '),
    followUpRequested: fc.constantFrom(undefined, true, false),
    reasons,
    plan: fc.constantFrom(...PLANS),
    model: fc.constantFrom(...MODELS),
    channel: fc.constantFrom(...CHANNELS),
    identityKind: fc.constantFrom(...KINDS),
    isLinked: fc.boolean(),
  }),
  aStep(2, 'dismiss', { person, survey }),
  aStep(2, 'import', { person, survey, daysAgo, rating: fc.nat({ max: 10 }) }),
  aStep(1, 'ack', { nth: fc.nat() }),
  aStep(2, 'change', {
    nth: fc.nat(),
    rating: fc.nat({ max: 10 }),
    text: fc.constantFrom(undefined, 'other words', ' '),
    followUpRequested: fc.constantFrom(undefined, true, false),
    reasons: fc.option(reasons, { nil: 'left' as const }),
  }),
  aStep(2, 'withdraw', { nth: fc.nat() }),
  aStep(1, 'show', { survey, daysAgo }),
  aStep(2, 'wait', { hours: fc.nat({ max: 30 }) }),
  aStep(3, 'wait long', {}),
  aStep(2, 'retain', {
    survey: fc.option(survey, { nil: undefined }),
    period: fc.constantFrom('35d', '60d', '2mo', null),
    isAtOnce: fc.boolean(),
  }),
  aStep(4, 'sweep', { most: fc.integer({ min: 1, max: 9 }) }),
  aStep(1, 'ttl', { most: fc.integer({ min: 1, max: 9 }) }),
  aStep(3, 'recount', { survey: fc.option(survey, { nil: undefined }), calls }),
  aStep(5, 'go on', { nth: fc.nat(), calls }),
  aStep(1, 'kill', { nth: fc.nat(), after: fc.boolean() }),
  aStep(2, 'erase', { person }),
  aStep(1, 'purge', { survey }),
  aStep(4, 'deliver', { instance: fc.nat({ max: 1 }), failsAt: fc.constantFrom(undefined, 1, 2) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

let purging: PurgeService;
let stream: StreamSource | undefined;

let opened = 0;
let swepts = 0;
let copied = 0;

/** Used for a few histories, because leftovers slow down every scan. */
async function openTable(): Promise<void> {
  if (opened++ % HISTORIES_OF_A_TABLE !== 0) return;
  stream?.close();
  purging = await createPurgeService();
  const { endpoint, tableName } = purging.service.table;
  stream = openStream(endpoint, tableName);
}
afterAll(() => stream?.close());

/** The embedded DynamoDB uses the machine's clock, so times are replaced. */
async function readStream(now: number): Promise<DynamoDBRecord[]> {
  const source = stream;
  if (source === undefined) throw new Error('no table is open');
  const records: DynamoDBRecord[] = [];
  for (;;) {
    const page = await source.read();
    if (page.records.length === 0) return records;
    const isAnswer = (type: string | undefined) => type === 'response' || type === 'dismissal';
    const found = page.records.filter(
      ({ dynamodb }) => isAnswer(dynamodb?.NewImage?.type?.S) || isAnswer(dynamodb?.OldImage?.type?.S),
    );
    for (const { dynamodb } of found)
      if (dynamodb !== undefined) dynamodb.ApproximateCreationDateTime = Math.floor(now / SECOND);
    records.push(...found);
  }
}

class History {
  readonly tenant: Tenant;
  readonly random: () => number;
  readonly #instances = [0, 1].map(() =>
    compose(testConfig(purging.service.table), {
      client: purging.service.table.client,
      clock: purging.service.clock.now,
    }),
  );
  readonly #linked: string[] = [];
  #revisions = 0;
  readonly #answered: Key[] = [];
  readonly #recounts: SteppedRecount[] = [];
  readonly #shows = new Map<string, number>();
  readonly #purged = new Set<string>();
  readonly #ended = new Map<string, Item>();
  #longWaits = 0;
  accepted = new Map<string, number>();
  #delivered: DynamoDBRecord[] = [];
  #waiting: DynamoDBRecord[] = [];

  constructor(tenant: Tenant, seed: number) {
    this.tenant = tenant;
    this.random = createRandom(seed);
  }

  get projectId(): string {
    return this.tenant.project.id;
  }

  surveyAt(index: number): Survey {
    const found = this.tenant.surveys[index];
    if (found === undefined) throw new RangeError('no such survey');
    return found;
  }

  get live(): readonly Survey[] {
    return this.tenant.surveys.filter(({ id }) => !this.#purged.has(id));
  }

  #pick(count: number): number {
    return Math.floor(this.random() * count);
  }

  /** Uses the history's random numbers, so that a replay has the same shards and order. */
  #bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.#pick(256)));
  }

  #shuffle<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, order: this.random() }))
      .sort((a, b) => a.order - b.order)
      .map(({ item }) => item);
  }

  async take(step: Step): Promise<void> {
    await this.#carryOut(step);
    this.#waiting.push(...(await readStream(purging.service.clock.now())));
  }

  async #retentionAt(key: Key): Promise<Retention | undefined> {
    const row: Row & { readonly retention?: Retention } = (await purging.service.table.table.get(key)) ?? {};
    return row.retention;
  }

  async #carryOut(step: Step): Promise<void> {
    const { service } = purging.service;
    const { projectId } = this;
    if (step.do === 'deliver') return this.deliver(step.instance, step.failsAt);
    if (step.do === 'ack') {
      const id = this.#linked[step.nth % (this.#linked.length || 1)];
      if (id !== undefined) await scores(service).acknowledge(projectId, [{ id, state: 'delivered' }]);
      return;
    }
    if (step.do === 'wait') return purging.service.clock.advance(step.hours * HOUR);
    if (step.do === 'wait long') {
      if (this.#longWaits++ < MOST_LONG_WAITS) await this.outlast();
      return;
    }
    if (step.do === 'retain') return this.retain(step);
    if (step.do === 'sweep') return this.sweep(step.most);
    if (step.do === 'ttl') return this.deleteTombstones(step.most);
    if (step.do === 'recount') return this.recount(step.survey, step.calls);
    if (step.do === 'go on') return this.#pickAt(this.#recounts, step.nth)?.go(step.calls);
    if (step.do === 'kill') return this.#pickAt(this.#recounts, step.nth)?.kill(step.after);
    if (step.do === 'change') return this.change(step);
    if (step.do === 'withdraw') return this.withdraw(step.nth);
    if (step.do === 'erase') {
      await this.#noteEnded();
      await this.#call(erase, { respondentId: step.person });
      return;
    }
    const { id: surveyId, content } = this.surveyAt(step.survey);
    if (this.#purged.has(surveyId)) return;
    if (step.do === 'purge') {
      this.#purged.add(surveyId);
      await this.#call(erase, { surveySlug: content.slug });
      return purging.carryOut();
    }
    const now = purging.service.clock.now();
    if (step.do === 'import') {
      const row = { respondentId: step.person, rating: step.rating, at: now - step.daysAgo * DAY };
      await imports(service).store({ projectId, surveyId }, row, now);
      return;
    }
    if (step.do === 'show') return this.show(surveyId, dayAt(now - step.daysAgo * DAY));
    const base = {
      tokenId: composeTokenId(now, this.#bytes(10)),
      projectId,
      surveyId,
      respondentId: step.person,
      at: new Date(now).toISOString(),
      tokenExpiresAt: now + this.#pick(2) * DAY - DAY / 2,
    };
    if (step.do === 'dismiss') {
      await answers(service).redeem({ ...base, kind: 'dismissal' });
      return;
    }
    const { rating, text, followUpRequested, reasons, plan, model, channel, identityKind, isLinked } = step;
    const stored = await answers(service).redeem({
      ...base,
      kind: 'response',
      source: 'sdk',
      rating,
      text,
      followUpRequested,
      reasons,
      identityKind,
      traits: plan === undefined ? undefined : { plan, model: 'claimed' },
      labels: model === undefined ? undefined : { model },
      channel,
      attested: {},
      claimed: {},
      score: isLinked ? { state: 'pending', attempts: 0 } : undefined,
    });
    this.accepted.set(surveyId, (this.accepted.get(surveyId) ?? 0) + 1);
    if (stored.stored && isLinked) this.#linked.push(stored.id);
    const hash = respondentHash(TEST_HASH_SECRET, projectId, step.person);
    this.#answered.push(answerKey(projectId, hash, base.tokenId));
  }

  #pickAt<T>(items: readonly T[], nth: number): T | undefined {
    return items[nth % (items.length || 1)];
  }

  async #completeFrom(): Promise<(surveyId: string) => string> {
    const { projectId } = this;
    const now = purging.service.clock.now();
    const ofProject = await this.#retentionAt(projectKey(projectId));
    const days = new Map<string, string>();
    for (const { id } of this.tenant.surveys) {
      const own = await this.#retentionAt(surveyKey(projectId, id));
      days.set(id, completeFromOf([ofProject, own], now));
    }
    return (id) => days.get(id) ?? '';
  }

  async #noteEnded(): Promise<Item[]> {
    const completeFrom = await this.#completeFrom();
    const rows = await scanAll(purging.service.table, this.projectId);
    const isEnded = ({ type, at, surveyId }: Item) =>
      (type === 'response' || type === 'dismissal') && isGone(at, completeFrom(surveyId));
    const ended = rows.filter(isEnded);
    for (const row of ended) this.#ended.set(`${row.pk} ${row.sk}`, row);
    return ended;
  }

  #kept(rows: readonly Item[]): Item[] {
    return rows.filter(({ pk, sk }) => !this.#ended.has(`${pk} ${sk}`));
  }

  async retain({ survey: index, period, isAtOnce }: Step & { do: 'retain' }): Promise<void> {
    const { projectId } = this;
    const { table, clock } = purging.service;
    const surveyId = index === undefined ? undefined : this.surveyAt(index).id;
    if (surveyId !== undefined && this.#purged.has(surveyId)) return;
    const key = surveyId === undefined ? projectKey(projectId) : surveyKey(projectId, surveyId);
    const retention = changeRetention(await this.#retentionAt(key), { period, now: clock.now(), isAtOnce });
    await table.table.update(key, { set: { retention: retention ?? null } });
  }

  async sweep(most: number): Promise<void> {
    const ended = await this.#noteEnded();
    for (const row of this.#shuffle(ended).slice(0, most)) {
      const { type, at, revision } = row;
      const when = equalTo({ type, at, revision });
      const { table, clock } = purging.service;
      const swept = await table.table.put(tombstoneItem(row, clock.now()), when);
      if (swept.done) swepts += 1;
    }
  }

  async deleteTombstones(most: number): Promise<void> {
    const rows = await scanAll(purging.service.table, this.projectId);
    const tombstones = rows.filter(({ type }) => type === 'tombstone');
    for (const { pk, sk } of this.#shuffle(tombstones).slice(0, most))
      await purging.service.table.table.delete({ pk, sk });
  }

  /** Tokens of expired answers are invalid. */
  async #changeable(nth: number): Promise<Key | undefined> {
    const key = this.#pickAt(this.#answered, nth);
    if (key === undefined) return undefined;
    const ended = await this.#noteEnded();
    return ended.some(({ pk, sk }) => pk === key.pk && sk === key.sk) ? undefined : key;
  }

  /** An older release keeps the reasons of the earlier revision. */
  async change({ nth, rating, text, followUpRequested, reasons }: Step & { do: 'change' }) {
    const key = await this.#changeable(nth);
    if (key === undefined) return;
    const words = { rating, text: text ?? null, followUpRequested: followUpRequested ?? null };
    const revision = ++this.#revisions;
    const given = reasons === undefined ? null : { given: reasons, revision };
    const set = { ...words, revision, withdrawn: null, ...(reasons !== 'left' && { reasons: given }) };
    await purging.service.table.table.update(key, { set }, IS_RESPONSE);
  }

  async withdraw(nth: number): Promise<void> {
    const key = await this.#changeable(nth);
    if (key === undefined) return;
    const set = { withdrawn: true, revision: ++this.#revisions };
    const remove = ['rating', 'text', 'followUpRequested', 'contact', 'reasons', 'traits', 'handled'];
    await purging.service.table.table.update(key, { set, remove }, IS_RESPONSE);
  }

  async show(surveyId: string, day: string): Promise<void> {
    const { projectId } = this;
    const instance = this.#instances[this.#pick(2)];
    if (instance === undefined) throw new RangeError('no such instance');
    const name = `${surveyId} ${day}`;
    this.#shows.set(name, (this.#shows.get(name) ?? 0) + 1);
    const id = this.#bytes(8).toString('hex');
    const survey = { projectId, surveyId };
    for (let isOutdated = false; ; isOutdated = true) {
      const counting = (await surveyCountings(instance).of([survey], isOutdated, expect.unreachable))(survey);
      const contributions = countIn(survey, counting, [{ of: { day, counter: 'shows' }, by: 1 }]);
      const left = await counts(instance).count([{ id, contributions }], () => undefined);
      if (left.length === 0) return;
    }
  }

  async recount(index: number | undefined, calls: number): Promise<void> {
    const slugs = index === undefined ? ['--all'] : [this.surveyAt(index).content.slug];
    const recount = startRecount(purging.service, [...slugs, '--project', this.projectId]);
    this.#recounts.push(recount);
    await recount.go(calls);
  }

  /** Waits for weeks. The stream keeps records for only a day. */
  async outlast(): Promise<void> {
    await this.deliver(0, undefined, true);
    this.#delivered = [];
    purging.service.clock.advance(40 * DAY);
  }

  async deliver(instance: number, failsAt?: number, isLast = false): Promise<void> {
    this.#waiting.push(...(await readStream(purging.service.clock.now())));
    const shuffled = this.#shuffle(this.#waiting);
    const fresh = isLast ? shuffled : shuffled.slice(0, this.#pick(shuffled.length + 1));
    const again = this.#shuffle(this.#delivered).slice(0, this.#pick(4));
    const records = this.#shuffle([...fresh, ...again]);
    const service = this.#instances[instance];
    if (service === undefined) throw new RangeError('no such instance');
    while (records.length > 0) {
      const batch = { Records: records.splice(0, 1 + this.#pick(8)) };
      if (failsAt !== undefined) await this.#fail(batch.Records, failsAt);
      await onChange(service)(structuredClone(batch));
    }
    const done = new Set(fresh);
    this.#waiting = this.#waiting.filter((record) => !done.has(record));
    this.#delivered.push(...fresh);
  }

  async #fail(records: DynamoDBRecord[], at: number): Promise<void> {
    const { table } = purging.service;
    const client = createClientAround(table.endpoint, async ({ operation }, next) => {
      if (operation !== 'TransactWriteItemsCommand') return next();
      if (at === 2) await next();
      throw new Error('the instance ends');
    });
    const failing = compose(testConfig(table), { client, log: { info() {}, error() {} } });
    await onChange(failing)({ Records: records }).catch(() => undefined);
    client.destroy();
  }

  async settle(): Promise<void> {
    for (const recount of this.#recounts) await recount.end();
  }

  async hasCopied(): Promise<boolean> {
    const rows = await scanAll(purging.service.table, this.projectId);
    const counted = rows.flatMap(({ generations }) => generations?.counted ?? []);
    return counted.some(({ copiedBefore }) => copiedBefore !== undefined);
  }

  async recountAll(): Promise<void> {
    const ended = await startRecount(purging.service, ['--all', '--project', this.projectId]).end();
    expect(ended).toMatchObject({ status: 0, stderr: '' });
  }

  #expected(rows: readonly Item[], surveyId: string) {
    if (this.#purged.has(surveyId)) return {};
    const shows = [...this.#shows].filter(([name]) => name.startsWith(surveyId));
    const byDay = shows.map(([name, count]) => [`${name.split(' ')[1]} shows`, count] as const);
    return { ...recount(rows, surveyId), ...Object.fromEntries(byDay) };
  }

  async check(): Promise<void> {
    const { table } = purging.service;
    await this.deliver(0, undefined, true);
    // Readers cache the current generation and the retention period for half a minute.
    purging.service.clock.advance(MINUTE);
    await this.#noteEnded();
    const all = await scanAll(table, this.projectId);
    const there = this.#kept(all);
    const rows = [...there, ...this.#ended.values()];
    for (const { id } of this.tenant.surveys)
      expect(shownResults(rows, id)).toEqual(this.#expected(rows, id));
    const record = await purging.service.projects.read(this.projectId);
    for (const { id } of this.live) {
      expect(record?.totals.bySurvey.get(id)).toBe(this.accepted.get(id) ?? 0);
      const responses = rows.filter((row) => isAnswered(row) && row.surveyId === id);
      expect(record?.totals.answered?.get(id)).toBe(responses.length);
    }
    for (const { id, segments } of this.live) {
      if (segments !== undefined) await this.checkValues(rows, there, id);
      await this.checkReasons(rows, there, id);
      await this.checkCompared(rows, id);
    }
    await this.checkContacts();
  }

  async #call(endpoint: Endpoint, query: Record<string, string>) {
    const { secretKey } = this.tenant;
    const { status, body } = await purging.service.call(endpoint, { secretKey, query });
    return { status, body };
  }

  async #ask(query: Record<string, string>, endpoint: Endpoint = getResults) {
    const { status, body } = await this.#call(endpoint, query);
    expect(status).toBe(200);
    return body;
  }

  async checkCompared(rows: readonly Item[], surveyId: string): Promise<void> {
    const dayOf = (age: number) => dayAt(purging.service.clock.now() - age * DAY);
    const [from, to, first, last] = [dayOf(2), dayOf(0), dayOf(5), dayOf(3)];
    const [now, before] = [recountDays(rows, surveyId, from, to), recountDays(rows, surveyId, first, last)];
    const close = (difference: ReturnType<typeof recountDifference>) =>
      difference && {
        value: expect.closeTo(difference.value, 6),
        low: expect.closeTo(Math.min(difference.low, difference.value), 6),
        high: expect.closeTo(Math.max(difference.high, difference.value), 6),
      };
    const span = { surveyId, from, to, compare: 'previous' };
    const { previous } = await this.#ask(span);
    expect(previous).toMatchObject({ from: first, to: last, responses: before.length });
    expect(previous.difference).toEqual(close(recountDifference(recounted(now), recounted(before))));
    const hasPlans = this.tenant.surveys.find(({ id }) => id === surveyId)?.segments !== undefined;
    for (const value of hasPlans ? ['free', 'pro', 'other', 'null'] : []) {
      const mine = recountValue(now, surveyId, { segment: 'plan', value });
      const asked = await this.#ask({ ...span, segment: 'plan', value });
      const theirs = recountValue(before, surveyId, { segment: 'plan', value });
      expect(asked.previous.responses).toBe(theirs.responses);
      expect(asked.previous.difference).toEqual(close(recountDifference(mine, theirs)));
      if (value === 'free') continue;
      const query = { surveyId, from, to, segment: 'plan', value, against: 'free' };
      const { against } = await this.#ask(query);
      const free = recountValue(now, surveyId, { segment: 'plan', value: 'free' });
      expect(against.responses).toBe(free.responses);
      expect(against.difference).toEqual(close(recountDifference(mine, free)));
    }
  }

  async checkContacts(): Promise<void> {
    const { service, clock, table } = purging.service;
    await contactSweep(service).sweep(this.projectId, { now: clock.now });
    await this.#noteEnded();
    const rows = this.#kept(await scanAll(table, this.projectId));
    const idsOf = (found: readonly { readonly id?: unknown }[]) => found.map(({ id }) => String(id)).sort();
    const asking = rows.filter((row) => isAnswered(row) && row.followUpRequested === true);
    const [from, to] = [dayAt(clock.now() - 2 * DAY), dayAt(clock.now() - DAY)];
    const surveyId = this.live[0]?.id;
    const isWithin = ({ at }: Item) => {
      const day = String(at).slice(0, 10);
      return from <= day && day <= to;
    };
    const filters = [
      [{}, asking],
      [{ from, to }, asking.filter(isWithin)],
      ...(surveyId === undefined
        ? []
        : [[{ surveyId }, asking.filter((row) => row.surveyId === surveyId)] as const]),
    ] as const;
    for (const [filter, expected] of filters) {
      const query = { state: 'all', limit: '100', ...filter };
      const { contacts } = await this.#ask(query, listContacts);
      expect(idsOf(contacts)).toEqual(idsOf(expected));
    }
  }

  async checkValues(rows: readonly Item[], there: readonly Item[], surveyId: string): Promise<void> {
    const from = dayAt(purging.service.clock.now() - 300 * DAY);
    const asked = { plan: ['free', 'pro', 'other', 'null'], model: ['a', 'other'], how: ['slack'] };
    const all = Object.entries(asked).flatMap(([segment, values]) =>
      values.map((value) => ({ segment, value })),
    );
    for (const each of all) {
      const query = { surveyId, from, ...each };
      const expected = expect.objectContaining(recountValue(rows, surveyId, each));
      expect(await this.#ask(query)).toEqual(expected);
      const { comments } = await this.#ask({ ...query, limit: '100' }, listComments);
      const ids = comments.map(({ id }: { id: string }) => id);
      expect(ids.sort()).toEqual(recountComments(there, surveyId, each).sort());
    }
  }

  async checkReasons(rows: readonly Item[], there: readonly Item[], surveyId: string): Promise<void> {
    const from = dayAt(purging.service.clock.now() - 300 * DAY);
    const body = await this.#ask({ surveyId, from });
    const counted = REASONS.map(({ code }) => [code, recountReason(rows, surveyId, code)] as const);
    const listed = new Map(REASONS.map(({ code }) => [code, recountReason(there, surveyId, code)]));
    const expected = counted.map(([code, ids]) => ({ code, label: labelOf(code), count: ids.length }));
    expect(body.reasons).toEqual(expected.filter(({ code, count }) => code !== 'rude' || count > 0));
    for (const [reason, ids] of listed) {
      const query = { surveyId, from, reason, withText: 'false', limit: '100' };
      const { comments } = await this.#ask(query, listComments);
      expect(comments.map(({ id }: { id: string }) => id).sort()).toEqual(ids.sort());
    }
  }

  async bury(): Promise<void> {
    await this.#call(erase, { account: 'true' });
    await purging.carryOut();
    await this.deliver(1, undefined, true);
    const left = await scanAll(purging.service.table, this.projectId);
    expect(left.filter(({ pk }) => pk !== 'PURGES')).toEqual([]);
    expect(purging.failures).toEqual([]);
  }
}

it(`results agree with a recount of the rows in ${RUNS} random histories`, {
  timeout: 900_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 24, size: 'max' }),
      fc.nat(),
      async (steps, seed) => {
        await openTable();
        const reasonCodes = REASONS.map(({ code }) => code);
        const surveys = [SEGMENTS, undefined, SEGMENTS].map((segments) =>
          aSurvey({ segments, reasonCodes }, { reasons: LISTED }),
        );
        const history = new History(await purging.service.tenant({ limits: NO_LIMITS }, surveys), seed);
        // In most histories answers are deleted, so that recounts find days without rows.
        const isRetained = history.random() < 0.7;
        if (isRetained)
          await history.take({ do: 'retain', survey: undefined, period: '35d', isAtOnce: true });
        for (const each of steps) await history.take(each);
        await history.settle();
        if (isRetained) {
          await history.outlast();
          await history.sweep(9);
        }
        await history.check();
        if (history.random() < 0.3) {
          await history.recountAll();
          await history.check();
        }
        if (await history.hasCopied()) copied += 1;
        if (history.random() < 0.3) await history.bury();
      },
    ),
    { numRuns: RUNS },
  );
  expect([swepts, copied].map((count) => count > 0)).toEqual([true, true]);
});
