/** See docs/contract.md §10.2. */

import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { ackScores } from '../../functions/ack-scores.ts';
import { listPendingScores } from '../../functions/list-pending-scores.ts';
import { aStep } from '../support/a-step.ts';
import { histories } from '../support/depth.ts';
import { linkedAnswer, NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { createTestService, type Tenant, type TestService } from '../support/service/test-service.ts';
import { createTestTable } from '../support/service/test-table.ts';
import { createLaggingIndex, type LaggingIndex } from '../support/stand-ins/lagging-index.ts';

type State = 'pending' | 'failed' | 'delivered';

const step = fc.oneof(
  // Clocks of instances differ, so a new answer can have an earlier time.
  aStep(4, 'answer', { skew: fc.integer({ min: -9, max: 9 }) }),
  aStep(4, 'poll', { limit: fc.integer({ min: 1, max: 4 }) }),
  aStep(4, 'ack', {
    picks: fc.array(fc.tuple(fc.nat(), fc.constantFrom('delivered' as const, 'failed' as const)), {
      maxLength: 3,
    }),
    shownOnly: fc.boolean(),
  }),
  aStep(1, 'restart', { includeFailed: fc.boolean(), settled: fc.boolean() }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Row {
  readonly at: string;
  state: State;
}

class Sweep {
  readonly shown: string[] = [];
  readonly due: Set<string>;
  cursor: string | undefined;
  ended = false;
  readonly includeFailed: boolean;

  constructor(includeFailed: boolean, due: Iterable<string>) {
    this.includeFailed = includeFailed;
    this.due = new Set(due);
  }

  wants(state: State): boolean {
    return state === 'pending' || (this.includeFailed && state === 'failed');
  }
}

let service: TestService;
let lagging: LaggingIndex;
let random = () => 0;

beforeAll(async () => {
  const table = await createTestTable();
  lagging = createLaggingIndex(table.readIndex, { random: () => random() });
  service = await createTestService({ table, aroundIndex: () => lagging.read });
});

async function runSteps(tenant: Tenant, steps: readonly Step[]): Promise<void> {
  const rows = new Map<string, Row>();
  const orderOf = (id: string) => `${rows.get(id)?.at}#${id}`;
  const openRows = (sweep: Pick<Sweep, 'wants'>) =>
    [...rows].filter(([, { state }]) => sweep.wants(state)).map(([id]) => id);
  let sweep = new Sweep(false, []);

  async function poll(limit: number): Promise<void> {
    const { includeFailed, cursor } = sweep;
    const query = {
      limit: String(limit),
      includeFailed: String(includeFailed),
      ...(cursor !== undefined && { cursor }),
    };
    const { status, body } = await service.call(listPendingScores, { secretKey: tenant.secretKey, query });
    expect(status).toBe(200);
    for (const { id, state } of body.scores) {
      const last = sweep.shown.at(-1);
      if (last !== undefined) expect(orderOf(id) > orderOf(last)).toBe(true);
      expect(state).toBe(rows.get(id)?.state);
      expect(sweep.wants(state)).toBe(true);
      sweep.shown.push(id);
      sweep.due.delete(id);
    }
    if (body.nextCursor === undefined) {
      sweep.ended = true;
      expect([...sweep.due]).toEqual([]);
    } else {
      expect(body.scores).toHaveLength(limit);
      sweep.cursor = body.nextCursor;
    }
  }

  async function ack(results: readonly { readonly id: string; readonly state: 'delivered' | 'failed' }[]) {
    const last = new Map(results.map(({ id, state }) => [id, state]));
    const changed = [...last].filter(([id]) => rows.get(id)?.state !== 'delivered');
    const { body } = await service.call(ackScores, { secretKey: tenant.secretKey, body: { results } });
    expect(body.updated).toBe(changed.length);
    for (const [id, state] of changed) {
      const row = rows.get(id);
      if (row !== undefined) row.state = state;
      sweep.due.delete(id);
    }
  }

  for (const next of steps) {
    if (next.do === 'answer') {
      service.clock.advance(next.skew);
      const { id, at } = await linkedAnswer(service, tenant);
      rows.set(id, { at, state: 'pending' });
    } else if (next.do === 'poll') {
      if (sweep.ended) sweep = new Sweep(sweep.includeFailed, []);
      await poll(next.limit);
    } else if (next.do === 'ack') {
      const ids = next.shownOnly ? sweep.shown : [...rows.keys()];
      const picked = next.picks.flatMap(([pick, state]) => {
        const id = ids[pick % Math.max(1, ids.length)];
        return id === undefined ? [] : [{ id, state }];
      });
      await ack(picked);
    } else {
      sweep = new Sweep(next.includeFailed, []);
      if (next.settled) {
        lagging.settle();
        for (const id of openRows(sweep)) sweep.due.add(id);
        await poll(1);
      }
    }
  }

  lagging.settle();
  sweep = new Sweep(true, []);
  await poll(100);
  // The index may still contain deleted rows. Later rows fill the page.
  await ack(openRows(sweep).flatMap((id) => (random() < 0.7 ? [{ id, state: 'delivered' as const }] : [])));
  sweep = new Sweep(true, []);
  while (!sweep.ended) await poll(2);
  expect(sweep.shown).toEqual(openRows(sweep).toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)));
}

it('neither skips nor repeats scores, and a settled sweep returns exactly the pending ones', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 10, maxLength: 40 }),
      fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
      async (steps, chances) => {
        random = () => chances.next().value ?? 0;
        await runSteps(
          await service.tenant({ limits: NO_LIMITS, rates: { publishable: 0, secret: 0 } }),
          steps,
        );
      },
    ),
    { numRuns: histories(8) },
  );
});
