/**
 * Injects every fault into every call of a route. The reply must be a success or a 503 with `Retry-After`, and nothing
 * may be left incomplete. `npm test` runs one case of every call. The project `histories` runs all and prints the
 * matrix.
 */

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import {
  createPurgeStarter,
  createStepFunctionsClient,
  type PurgeStarter,
} from '../../shared/data/aws/purge-starter.ts';
import type { RetryStrategy } from '../../shared/data/table/client.ts';
import { inFlight } from '../../shared/data/table/retry.ts';
import { IS_WHOLE } from '../support/depth.ts';
import {
  FAULTS,
  type Fault,
  type FaultProxy,
  type FaultRule,
  ITEM_WRITES,
  type ProxiedCall,
  startFaultProxy,
} from '../support/faults/fault-proxy.ts';
import type { FaultScenario } from '../support/faults/fault-scenario.ts';
import { FAULT_SCENARIOS } from '../support/faults/fault-scenarios.ts';
import {
  createProxiedClient,
  createProxiedStepFunctions,
  spendRetries,
} from '../support/faults/proxied-client.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { createTestService } from '../support/service/test-service.ts';
import { createTestTable, NO_LIMIT, type TestTable } from '../support/service/test-table.ts';
import {
  STATE_MACHINE_ARN,
  type StepFunctions,
  startStepFunctions,
} from '../support/stand-ins/step-functions.ts';

interface Target {
  readonly name: string;
  readonly rule: Omit<FaultRule, 'fault'>;
}

const EVERYTHING: readonly Target[] = [
  { name: 'every call', rule: {} },
  { name: 'every call but the first', rule: { after: 1 } },
];

function describeTarget({ operation, body }: ProxiedCall): Target {
  const index = /"IndexName":"(\w+)"/.exec(body)?.[1];
  if (index !== undefined)
    return { name: `${operation} ${index}`, rule: { operation, containing: `"${index}"` } };
  for (const [part, name] of [
    ['#RATE#', 'counting'],
    ['#R#', 'respondent'],
    ['PURGES', 'purges'],
    ['#ERASURE', 'erasure log'],
  ] as const) {
    if (body.includes(part)) return { name: `${operation} ${name}`, rule: { operation, containing: part } };
  }
  const partition = /"P#[0-9a-f]+"/.exec(body)?.[0];
  if (partition !== undefined)
    return { name: `${operation} settings`, rule: { operation, containing: partition } };
  return { name: operation, rule: { operation } };
}

interface Cell {
  readonly route: string;
  readonly call: string;
  readonly fault: Fault;
  readonly mode: string;
  readonly status: number;
}

function printMatrix(cells: readonly Cell[]): void {
  const rows = new Map<string, string[]>();
  for (const { route, call, mode, fault, status } of cells) {
    const name = `${route.padEnd(20)} ${call.padEnd(26)} ${mode.padEnd(21)}`;
    const row = rows.get(name) ?? FAULTS.map(() => '-');
    row[FAULTS.indexOf(fault)] = String(status);
    rows.set(name, row);
  }
  const line = (name: string, values: readonly string[]) =>
    `${name.padEnd(69)} ${values.map((value) => value.padEnd(13)).join(' ')}`;
  const lines = [
    line('route, call, how long', FAULTS),
    ...[...rows].map(([name, values]) => line(name, values)),
  ];
  process.stdout.write(
    `\nFaults between the service and DynamoDB or Step Functions, and what was answered\n${lines.join('\n')}\n`,
  );
}

const MODES = ['once', 'once, no retries left', 'for good'] as const;
type Mode = (typeof MODES)[number];

function casesOf(call: string): { readonly fault: Fault; readonly mode: Mode }[] {
  const [operation = ''] = call.split(' ');
  const isEverything = operation === 'every';
  return FAULTS.flatMap((fault) => {
    if (fault === 'partial-batch' && !operation.startsWith('Batch')) return [];
    if (fault === 'conflict' && !isEverything && !ITEM_WRITES.has(operation)) return [];
    const modes = MODES.filter((mode) => mode !== 'once, no retries left' || !isEverything);
    return modes.map((mode) => ({ fault, mode }));
  });
}

/** Must not share a divisor with the number of cases of a call: 16, 21 or 24. */
const STRIDE = 5;

/** Adjacent calls and routes get different cases. */
function chosen<T>(cases: readonly T[], nth: number): readonly T[] {
  return IS_WHOLE ? cases : cases.slice((nth * STRIDE) % cases.length).slice(0, 1);
}

const LANES = 12;

describe('the fault matrix', () => {
  let stepFunctions: StepFunctions;
  let starter: PurgeStarter;
  let proxies: FaultProxy[];
  let spent: RetryStrategy;
  const cells: Cell[] = [];

  beforeAll(async () => {
    stepFunctions = await startStepFunctions();
    const { endpoint } = stepFunctions;
    spent = await spendRetries();
    starter = createPurgeStarter(
      STATE_MACHINE_ARN,
      createStepFunctionsClient({ endpoint, requestTimeoutMs: NO_LIMIT }),
    );
    proxies = await Promise.all(
      Array.from({ length: LANES }, () => startFaultProxy(inject('dynamodbEndpoint'), endpoint)),
    );
  });
  afterAll(async () => {
    await Promise.all([...proxies, stepFunctions].map(({ stop }) => stop()));
    if (IS_WHOLE) printMatrix(cells);
  });

  async function runCase(
    scenario: FaultScenario,
    table: TestTable,
    proxy: FaultProxy,
    rule: (projectId: string) => FaultRule | undefined,
    mode: Mode = 'once',
  ) {
    proxy.heal();
    const healthy = await createTestService({ table, starter });
    const retries = mode === 'once, no retries left' ? spent : undefined;
    const client = createProxiedClient(proxy, retries);
    const faulty = await createTestService({
      table,
      client,
      clock: healthy.clock,
      starter: createPurgeStarter(STATE_MACHINE_ARN, createProxiedStepFunctions(proxy, retries)),
    });
    const tenant = await healthy.tenant({ limits: NO_LIMITS }, [aSurvey(), aSurvey()]);
    const { request, settle } = await scenario.prepare({ faulty, healthy, tenant, stepFunctions });
    const injected = rule(tenant.project.id);
    if (injected !== undefined) proxy.inject(injected);
    const reply = await faulty.call(scenario.endpoint, request);
    const calls = [...proxy.calls];
    proxy.heal();
    client.destroy();
    return { reply, calls, projectId: tenant.project.id, settle: () => settle(reply) };
  }

  it.each(FAULT_SCENARIOS)('leaves no half-finished work: $name', { timeout: 300_000 }, async (scenario) => {
    const route = scenario.name;
    const [first] = proxies;
    if (first === undefined) throw new Error('there is no proxy');
    const table = await createTestTable();
    const clean = await runCase(scenario, table, first, () => undefined);
    expect(clean.reply.status).toBe(scenario.success);
    await clean.settle();
    const targets = new Map(clean.calls.map(describeTarget).map((target) => [target.name, target]));
    expect(targets.size).toBeGreaterThan(0);

    const cases = [...EVERYTHING, ...targets.values()].flatMap(({ name, rule }, nth) =>
      chosen(casesOf(name), nth + FAULT_SCENARIOS.indexOf(scenario)).map((each) => ({ ...each, name, rule })),
    );
    // Cases scan their table, so that one table for all would take quadratic time.
    const free = await Promise.all(
      proxies.map(async (proxy) => ({ proxy, table: IS_WHOLE ? await createTestTable() : table })),
    );
    await inFlight(cases, LANES, async ({ name, rule, fault, mode }) => {
      const lane = free.pop();
      if (lane === undefined) throw new Error('there are as many proxies as lanes');
      const { reply, settle } = await runCase(
        scenario,
        lane.table,
        lane.proxy,
        (projectId) => {
          const containing = rule.containing?.replace(clean.projectId, projectId);
          return {
            ...rule,
            ...(containing !== undefined && { containing }),
            fault,
            ...(mode !== 'for good' && { times: 1 }),
          };
        },
        mode,
      );
      free.push(lane);
      cells.push({ route, call: name, fault, mode, status: reply.status });
      const where = `${name}, ${fault}, ${mode}: ${reply.text}`;
      expect([scenario.success, 503], where).toContain(reply.status);
      if (mode !== 'for good') expect(reply.status, where).toBe(scenario.success);
      if (reply.status === 503) {
        if (scenario.endpoint.route.page !== true)
          expect(reply.body.error.code).toBe('temporarily_unavailable');
        expect(reply.headers['retry-after']).toMatch(/^[1-9]\d*$/);
      }
      await settle();
    });
  });
});
