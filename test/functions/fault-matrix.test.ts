/**
 * Every route, every call it makes of DynamoDB and Step Functions, every fault, for once and for good: the reply is a success or a 503
 * with `Retry-After`, and afterwards nothing is half done. Real SDK, real sockets; prints the matrix.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPurgeStarter } from '../../shared/data/aws/purge-starter.ts';
import { createDocumentClient } from '../../shared/data/table/client.ts';
import { inFlight } from '../../shared/data/table/in-flight.ts';
import { aSurvey } from '../support/builders.ts';
import {
  type Fault,
  type FaultProxy,
  type FaultRule,
  type ProxiedCall,
  startFaultProxy,
} from '../support/fault-proxy.ts';
import { FAULT_SCENARIOS } from '../support/fault-scenarios.ts';
import type { FaultScenario } from '../support/fault-stage.ts';
import { NO_LIMITS } from '../support/linked-answer.ts';
import { STATE_MACHINE_ARN, type StepFunctions, startStepFunctions } from '../support/step-functions.ts';
import { createTestService } from '../support/test-service.ts';
import { createTestTable } from '../support/test-table.ts';

const FAULTS: readonly Fault[] = ['throttle', 'server-error', 'hang', 'reset', 'drop-reply', 'partial-batch'];
const MODES = ['once', 'for good'] as const;
/** So that a call that hangs is given up soon: three attempts of this. */
const ATTEMPT_MS = 150;
const LANES = 4;

/** A kind of call, in words, and the rule that hits it. */
interface Target {
  readonly name: string;
  readonly rule: Omit<FaultRule, 'fault'>;
}

const EVERYTHING: readonly Target[] = [
  { name: 'every call', rule: {} },
  { name: 'every call but the first', rule: { after: 1 } },
];

function targetOf({ operation, body }: ProxiedCall): Target {
  const index = /"IndexName":"(\w+)"/.exec(body)?.[1];
  if (index !== undefined)
    return { name: `${operation} ${index}`, rule: { operation, containing: `"${index}"` } };
  for (const [mark, name] of [
    ['#RATE#', 'counting'],
    ['#R#', 'respondent'],
    ['PURGES', 'purges'],
    ['#ERASURE', 'erasure log'],
  ] as const) {
    if (body.includes(mark)) return { name: `${operation} ${name}`, rule: { operation, containing: mark } };
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
    const name = `${route.padEnd(20)} ${call.padEnd(26)} ${mode.padEnd(9)}`;
    const row = rows.get(name) ?? FAULTS.map(() => '-');
    row[FAULTS.indexOf(fault)] = String(status);
    rows.set(name, row);
  }
  const line = (name: string, values: readonly string[]) =>
    `${name.padEnd(57)} ${values.map((value) => value.padEnd(13)).join(' ')}`;
  const lines = [
    line('route, call, how long', FAULTS),
    ...[...rows].map(([name, values]) => line(name, values)),
  ];
  process.stdout.write(
    `\nFaults between the service and DynamoDB or Step Functions, and what was answered\n${lines.join('\n')}\n`,
  );
}

describe('the fault matrix', () => {
  let stepFunctions: StepFunctions;
  let proxies: FaultProxy[];
  const cells: Cell[] = [];

  beforeAll(async () => {
    stepFunctions = await startStepFunctions();
    const { endpoint } = await createTestTable();
    proxies = await Promise.all(
      Array.from({ length: LANES }, () => startFaultProxy(endpoint, stepFunctions.endpoint)),
    );
  });
  afterAll(async () => {
    await Promise.all([...proxies, stepFunctions].map(({ stop }) => stop()));
    printMatrix(cells);
  });

  /** A table, and a cold instance behind a proxy that does as it is told once everything is prepared. */
  async function play(
    scenario: FaultScenario,
    proxy: FaultProxy,
    rule: (projectId: string) => FaultRule | undefined,
  ) {
    proxy.heal();
    const table = await createTestTable();
    const healthy = await createTestService({
      table,
      starter: createPurgeStarter(STATE_MACHINE_ARN, { endpoint: stepFunctions.endpoint }),
    });
    const { endpoint } = proxy;
    const client = createDocumentClient({ endpoint, requestTimeoutMs: ATTEMPT_MS });
    const starter = createPurgeStarter(STATE_MACHINE_ARN, { endpoint, requestTimeoutMs: ATTEMPT_MS });
    const ailing = await createTestService({ table, client, clock: healthy.clock, starter });
    const tenant = await healthy.tenant({ limits: NO_LIMITS }, [aSurvey(), aSurvey()]);
    const { request, settle } = await scenario.prepare({ ailing, healthy, tenant, stepFunctions });
    const injected = rule(tenant.project.id);
    if (injected !== undefined) proxy.inject(injected);
    const reply = await ailing.call(scenario.endpoint, request);
    const calls = [...proxy.calls];
    proxy.heal();
    client.destroy();
    return { reply, calls, projectId: tenant.project.id, settle: () => settle(reply) };
  }

  it.each(FAULT_SCENARIOS)('$name', { timeout: 120_000 }, async (scenario) => {
    const route = scenario.name;
    const [first] = proxies;
    if (first === undefined) throw new Error('there is no proxy');
    const clean = await play(scenario, first, () => undefined);
    expect(clean.reply.status).toBe(scenario.success);
    const targets = new Map(clean.calls.map((call) => targetOf(call)).map((target) => [target.name, target]));
    expect(targets.size).toBeGreaterThan(0);

    const cases = [...EVERYTHING, ...targets.values()].flatMap((target) =>
      FAULTS.flatMap((fault) =>
        fault === 'partial-batch' && !target.name.startsWith('Batch')
          ? []
          : MODES.map((mode) => ({ target, fault, mode })),
      ),
    );
    const free = [...proxies];
    const settles = await inFlight(cases, LANES, async ({ target, fault, mode }) => {
      const proxy = free.pop();
      if (proxy === undefined) throw new Error('there are as many proxies as lanes');
      const containing = (projectId: string) =>
        target.rule.containing?.replace(clean.projectId, projectId) ?? undefined;
      const { reply, settle } = await play(scenario, proxy, (projectId) => {
        const part = containing(projectId);
        return {
          ...target.rule,
          ...(part !== undefined && { containing: part }),
          fault,
          ...(mode === 'once' && { times: 1 }),
        };
      });
      free.push(proxy);
      cells.push({ route, call: target.name, fault, mode, status: reply.status });
      const where = `${target.name}, ${fault}, ${mode}: ${reply.text}`;
      expect([scenario.success, 503], where).toContain(reply.status);
      if (mode === 'once') expect(reply.status, where).toBe(scenario.success);
      if (reply.status === 503) {
        expect(reply.body.error.code).toBe('temporarily_unavailable');
        expect(reply.headers['retry-after']).toMatch(/^[1-9]\d*$/);
      }
      return settle;
    });
    // Afterwards: what a state machine computes would make calls elsewhere miss their short time-outs.
    await inFlight([clean.settle, ...settles], LANES, (settle) => settle());
  });
});
