/** Plants marked strings in every input, and checks that no log line, metric or error body contains one. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deferredAskLink } from '../../functions/deferred-ask-link.ts';
import { onChange } from '../../functions/on-change.ts';
import { PURGE_STEP } from '../../functions/purge.ts';
import { compose, log } from '../../functions/runtime/compose.ts';
import type { Endpoint } from '../../functions/runtime/endpoint.ts';
import { createLogger } from '../../functions/runtime/logger.ts';
import { projectSettings } from '../../functions/runtime/settings-cache.ts';
import { createEventSender } from '../../functions/send-events.ts';
import { loadEndpoints } from '../../local/endpoints.ts';
import { consoleFiles } from '../../pages/console/console-files.ts';
import { createEventBus } from '../../shared/data/events/event-outlet.ts';
import { FAULTS, FakeAws } from '../support/events/fake-aws.ts';
import { anSqsEvent } from '../support/events/lambda-events.ts';
import { type Fault, type FaultProxy, startFaultProxy } from '../support/faults/fault-proxy.ts';
import { createProxiedClient } from '../support/faults/proxied-client.ts';
import { insertsOf } from '../support/fixtures/a-stream.ts';
import { aToken, respond } from '../support/fixtures/answered.ts';
import { linkedAnswer, NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { TEST_SHARDS } from '../support/fixtures/seed-answers.ts';
import { show } from '../support/fixtures/shown.ts';
import { providerAt } from '../support/fixtures/signed-in.ts';
import { surveyOf } from '../support/fixtures/tokens.ts';
import { createRandom } from '../support/random.ts';
import { scanAll } from '../support/scan-all.ts';
import {
  type CallOptions,
  createTestService,
  type Tenant,
  type TestService,
  testConfig,
} from '../support/service/test-service.ts';
import { createTestTable } from '../support/service/test-table.ts';

const { Finish: finish, RecordFailure: recordFailure, SweepShard: sweepShard, Verify: verify } = PURGE_STEP;

const MARK = 'CaNaRy';
let planted = 0;
const canary = (): string => `${MARK}${planted++}`;

interface Emitted {
  readonly logs: string[];
  readonly errors: string[];
}

const FIELDS = [
  'userId',
  'respondentId',
  'sessionId',
  'observationId',
  'traceId',
  'taskType',
  'text',
  'contact',
  'email',
  'surveySlug',
  'cursor',
  'showToken',
  'surveyId',
  'identityKind',
  'limit',
  'account',
  'includeFailed',
  'expiresIn',
  'rating',
  'revision',
  'withdraw',
  'key',
] as const;

const keyed = await loadEndpoints();

describe('canaries', () => {
  let proxy: FaultProxy;
  let healthy: TestService;
  let tenant: Tenant;
  const emitted: Emitted = { logs: [], errors: [] };
  const secrets: string[] = [];

  beforeAll(async () => {
    const table = await createTestTable();
    proxy = await startFaultProxy(table.endpoint);
    healthy = await createTestService({ table });
    tenant = await healthy.tenant({
      limits: NO_LIMITS,
      rates: { publishable: 0, secret: 0 },
      consoleProvider: providerAt('https://issuer.example/keys'),
    });
    secrets.push(tenant.publishableKey, tenant.secretKey);
  });
  afterAll(() => proxy.stop());

  async function instance(): Promise<TestService> {
    const client = createProxiedClient(proxy);
    const log = createLogger((line) => emitted.logs.push(line), { metricsNamespace: 'canvass-test' });
    return createTestService({ table: healthy.table, clock: healthy.clock, client, log });
  }

  const plantedFields = () => ({
    ...Object.fromEntries(FIELDS.map((field) => [field, canary()])),
    [canary()]: canary(),
    traits: { [canary()]: canary() },
    results: [{ id: canary(), state: 'failed', error: canary() }],
  });

  const plantedHeaders = () => ({
    origin: `https://${canary()}.example`,
    referer: `https://example.com/${canary()}`,
    'user-agent': canary(),
    cookie: canary(),
    'x-forwarded-for': canary(),
    'x-amzn-trace-id': canary(),
  });

  async function validFields(route: string): Promise<Record<string, unknown>> {
    const person = canary();
    const sessionId = canary();
    switch (route) {
      case 'bootstrap':
        return { userId: person, traits: { [canary()]: canary() } };
      case 'submit-response':
      case 'submit-dismissal':
      case 'submit-impression': {
        const showToken = await aToken(healthy, tenant, person, { sessionId });
        secrets.push(showToken);
        const surveyId = surveyOf(tenant);
        return {
          showToken,
          surveyId,
          sessionId,
          userId: canary(),
          rating: 3,
          text: canary(),
          contact: canary(),
          taskType: canary(),
        };
      }
      case 'serve-console-file':
        return { file: [...(await consoleFiles()).keys()].find((name) => name.endsWith('.js')) };
      case 'revise-response': {
        const { showToken, surveyId } = await respond(healthy, tenant, person, { sessionId });
        secrets.push(showToken);
        return {
          showToken,
          surveyId,
          sessionId,
          userId: canary(),
          revision: 1,
          rating: 3,
          text: canary(),
          contact: canary(),
        };
      }
      case 'mint-tokens':
        return { respondentId: person, sessionId, traceId: canary(), taskType: canary() };
      case 'deferred-ask-link':
        return { respondentId: person, surveyId: surveyOf(tenant), sessionId, traceId: canary() };
      case 'show-link':
      case 'answer-link': {
        const body = { respondentId: person, surveyId: surveyOf(tenant), sessionId, traceId: canary() };
        const made = await healthy.call(deferredAskLink, { secretKey: tenant.secretKey, body });
        secrets.push(made.body.showToken);
        return { showToken: made.body.showToken, rating: '3', text: canary(), contact: canary() };
      }
      case 'handle-contact': {
        const { reply } = await respond(healthy, tenant, person, { body: { followUpRequested: true } });
        return { id: reply.body.id, handled: true, note: canary() };
      }
      case 'put-definitions': {
        const survey = { slug: 'new', type: 'nps', question: canary(), thanks: { text: canary() } };
        return { revision: 1, surveys: [survey] };
      }
      case 'create-preview':
        return { survey: { slug: 'new', type: 'nps', question: canary(), thanks: { text: canary() } } };
      case 'ack-scores': {
        const { id } = await linkedAnswer(healthy, tenant, { mint: { respondentId: person } });
        return { results: [{ id, state: 'failed', error: canary() }] };
      }
      case 'export-responses':
      case 'erase':
        await linkedAnswer(healthy, tenant, {
          mint: { respondentId: person },
          submission: { text: canary() },
        });
        return { respondentId: person };
      case 'console-sign-in':
        return { project: tenant.project.id };
      case 'get-results':
      case 'list-comments':
        await linkedAnswer(healthy, tenant, {
          mint: { respondentId: person },
          submission: { text: canary() },
        });
        return { surveyId: surveyOf(tenant) };
      default:
        return {};
    }
  }

  function requestOf({ route }: Pick<Endpoint, 'route'>, fields: Record<string, unknown>): CallOptions {
    const key = fields.key ?? (route.key === 'secret' ? tenant.secretKey : tenant.publishableKey);
    const { key: _key, ...rest } = fields;
    const headers = {
      ...plantedHeaders(),
      ...(route.key === 'secret' && { authorization: `Bearer ${key}` }),
    };
    const texts = Object.entries(rest).filter(([, value]) => typeof value === 'string') as [string, string][];
    if (route.page === true) {
      const { showToken = canary() } = rest;
      const form = new URLSearchParams(texts).toString();
      const query = { lang: canary(), rating: canary() };
      return { path: `/l/${String(showToken)}`, query, headers, rawBody: form, base64: true };
    }
    const isStrict = route.strictQuery === true;
    // A reply may name the unknown parameter that it refuses.
    const named = texts.map(([name, value]) => [isStrict && name.startsWith(MARK) ? 'unknown' : name, value]);
    const unknown = isStrict || route.name === 'erase' ? {} : { [canary()]: canary() };
    const query = { ...(route.body === true ? {} : Object.fromEntries(named)), ...unknown };
    if (route.name === 'serve-console-file')
      return { path: `/console/assets/${String(rest.file ?? canary())}`, query, headers };
    return { query, headers, ...(route.body === true && { body: { ...rest, key } }) };
  }

  async function send(service: TestService, endpoint: Endpoint, request: CallOptions): Promise<number> {
    const reply = await service.call(endpoint, { sourceIp: canary(), ...request });
    if (reply.status >= 400) emitted.errors.push(reply.text);
    return reply.status;
  }

  it.each(keyed)('are passed through $route.name', async (endpoint) => {
    const { route } = endpoint;
    const service = await instance();
    const statuses = new Set<number>();
    const sendTo = async (to: TestService, request: CallOptions) =>
      statuses.add(await send(to, endpoint, request));

    const valid = await validFields(route.name);
    await sendTo(service, requestOf(endpoint, valid));
    await sendTo(service, requestOf(endpoint, valid));
    await sendTo(service, requestOf(endpoint, plantedFields()));
    const read = new Set([...Object.keys({ ...valid, ...route.input?.().shape }), ...(route.query ?? [])]);
    for (const [index, field] of [...FIELDS, 'traits', 'results'].entries()) {
      const forms = [canary(), { [canary()]: canary() }, [canary()], canary().repeat(1_000)];
      // Fields that the route does not read have one form each.
      for (const value of read.has(field) ? forms : [forms[index % forms.length]])
        await sendTo(service, requestOf(endpoint, { ...valid, [field]: value }));
    }
    for (const traits of [{ [canary()]: { [canary()]: canary() } }, { [canary()]: canary().repeat(2_000) }])
      await sendTo(service, requestOf(endpoint, { ...valid, traits }));
    for (const rawBody of [
      canary(),
      `{"text":"${canary()}",`,
      `{"__proto__":"${canary()}"}`,
      canary().repeat(9_000),
    ])
      await sendTo(service, { ...requestOf(endpoint, valid), rawBody });
    const { publishableKey: key } = tenant;
    await sendTo(service, { query: `key=${key}&key=${canary()}&userId=${canary()}&userId=${canary()}` });

    for (const fault of ['reset', 'throttle', 'server-error', 'hang'] as const satisfies readonly Fault[]) {
      const faulty = await instance();
      const fields = await validFields(route.name);
      proxy.inject({ fault });
      await sendTo(faulty, requestOf(endpoint, fields));
      proxy.heal();
    }
    expect(statuses).toContain(route.success.status);
    if (route.key !== undefined) expect(statuses).toContain(503);
    if (route.key !== undefined) expect(statuses).toContain(401);

    const fail = (projectId: string) => Promise.reject(new TypeError(`no project ${projectId}`));
    const log = createLogger((line) => emitted.logs.push(line));
    const settings = { has: () => false, load: fail, reload: fail, forget: () => undefined };
    const broken = await createTestService({
      table: healthy.table,
      log,
      arrange: (service) => projectSettings.replace(service, settings),
    });
    await sendTo(broken, requestOf(endpoint, valid));
  });

  it('are passed through the functions of the stream, with and without a fault', async () => {
    await linkedAnswer(healthy, tenant, {
      mint: { respondentId: canary() },
      submission: { text: canary() },
    });
    await show(healthy, tenant, canary());
    const event = await insertsOf(healthy.table, tenant.project.id);
    expect(JSON.stringify(event)).toContain(MARK);
    for (const record of event.Records) {
      if (record.dynamodb?.NewImage !== undefined) record.dynamodb.NewImage.fold = { BOOL: true };
    }
    const { service } = await instance();
    const handle = onChange(service);
    proxy.inject({ fault: 'server-error' });
    // Lambda logs what a function throws.
    await handle(event).catch((error: Error) => log(service).error({ message: 'thrown', error }));
    proxy.heal();
    await handle(event);
  });

  it('are passed through the event sender, with a working bus, failing buses and a malformed event', async () => {
    const talkative = await createTestService({
      table: healthy.table,
      clock: healthy.clock,
      config: { events: { includeText: true } },
    });
    await linkedAnswer(healthy, tenant, {
      mint: { respondentId: canary() },
      submission: { text: canary(), contact: canary(), traits: { [canary()]: canary() } },
    });
    await onChange(talkative.service)(await insertsOf(healthy.table, tenant.project.id));
    expect(JSON.stringify(talkative.events)).toContain(MARK);
    const log = createLogger((line) => emitted.logs.push(line));
    const queued = anSqsEvent(talkative.events);
    queued.Records.push(...anSqsEvent([canary()]).Records);
    for (const record of queued.Records.slice(-1)) record.body = `${canary()} {`;
    for (const fault of FAULTS) {
      const aws = new FakeAws(createRandom(1));
      aws.busFault = fault;
      const bus = createEventBus('default', aws.bus);
      const { batchItemFailures } = await createEventSender({ bus, clock: healthy.clock.now, log })(queued);
      expect(batchItemFailures.length).toBeGreaterThan(0);
    }
  });

  it('are passed through the steps of a purge and its failure', async () => {
    const { client } = healthy.table;
    const log = createLogger((line) => emitted.logs.push(line));
    const service = compose(testConfig(healthy.table), { client, log, clock: healthy.clock.now });
    const scope = { projectId: tenant.project.id };
    for (let shard = 0; shard < TEST_SHARDS; shard += 1) await sweepShard(service)({ ...scope, shard });
    await verify(service)(scope);
    await recordFailure(service)({ ...scope, error: { Error: 'States.TaskFailed', Cause: canary() } });
    await finish(service)(scope);
    expect(await scanAll(healthy.table, scope.projectId)).toEqual([]);
  });

  it('appear in no logs, metrics or errors', () => {
    expect(planted).toBeGreaterThan(1_000);
    expect(emitted.logs.length).toBeGreaterThan(500);
    expect(emitted.errors.length).toBeGreaterThan(300);
    const leaks = [...emitted.logs, ...emitted.errors].filter((text) => text.includes(MARK));
    expect(leaks.slice(0, 5)).toEqual([]);
    expect(emitted.logs.some((text) => text.includes(tenant.project.id))).toBe(true);
    for (const secret of secrets) {
      const part = secret.slice(-20);
      expect([...emitted.logs, ...emitted.errors].filter((text) => text.includes(part))).toEqual([]);
    }
  });
});
