import fc from 'fast-check';
import { MINUTE } from '../../../shared/domain/duration.ts';
import { createCrashingClient } from '../faults/failing-client.ts';
import { createTestService } from '../service/test-service.ts';
import type { ConsoleTab, Fault, Hold, Surroundings } from './console-tab.ts';
import { type ConsoleWorld, PAIR, PEOPLE } from './console-world.ts';

export const SLUG = 'typed';

const kind = <const Name extends string>(name: Name) => fc.constant(name);
const who = fc.constantFrom(...PEOPLE);
/** Weighted towards the first request, which stores. */
const request = fc.constantFrom(1, 1, 1, 1, 2, 3, 4);
const usually = fc.constantFrom(true, true, true, false);
const sometimes = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.oneof(fc.constant(undefined), arbitrary);
interface CrashPoint {
  readonly call: number;
  readonly when: 'before' | 'after';
}
const crash = fc.record({
  call: fc.integer({ min: 1, max: 5 }),
  when: fc.constantFrom('before' as const, 'after' as const),
});
const around = {
  isStale: fc.boolean(),
  fault: sometimes(fc.record({ request, crash: fc.option(crash) })),
  hold: sometimes(fc.record({ request, on: fc.constantFrom('way there' as const, 'way back' as const) })),
  meanwhile: fc.constantFrom('goes on' as const, 'comes back' as const, 'closes' as const),
};
interface Around {
  readonly isStale: boolean;
  readonly fault?: { readonly request: number; readonly crash: CrashPoint | null } | undefined;
  readonly hold?: Hold | undefined;
  readonly meanwhile: 'goes on' | 'comes back' | 'closes';
}
const side = fc.constantFrom('mine' as const, 'theirs' as const);
const at = fc.nat({ max: 7 });

export const consoleDeeds = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: kind('open'),
      who,
      screen: fc.constantFrom('edit' as const, 'new' as const, 'order' as const),
      at,
      ...around,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: kind('type'),
      who,
      field: fc.constantFrom('question' as const, 'followUpQuestion' as const),
      isCommon: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: kind('publish'),
      who,
      isNew: fc.oneof(
        { weight: 3, arbitrary: fc.constant(false) },
        { weight: 1, arbitrary: fc.constant(true) },
      ),
      isOfStatus: fc.boolean(),
      side,
      /** Otherwise faults affect the request for a review. */
      isStoring: usually,
      /** Otherwise the dialog stays open. */
      isConfirmed: usually,
      ...around,
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: kind('confirm'), who, side, ...around }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: kind('move'), who, at, by: fc.constantFrom(-1 as const, 1 as const) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: kind('store order'), who, side, ...around }) },
  { weight: 4, arbitrary: fc.record({ kind: kind('let go'), who }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('leave'), who }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('close'), who }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('discard'), who }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('sign in'), who }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('wait'), minutes: fc.constantFrom(0.1, 1, 10) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: kind('script'),
      isStale: fc.boolean(),
      crash: sometimes(crash),
      what: fc.constantFrom('words' as const, 'order' as const, 'survey' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: kind('purge'), at, isCarriedOut: fc.boolean(), crash: sometimes(crash) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: kind('apply'), isPulled: fc.boolean(), isForced: fc.boolean() }),
  },
);
type Deed = typeof consoleDeeds extends fc.Arbitrary<infer T> ? T : never;

function dying({ fresh, clock }: ConsoleWorld, point: CrashPoint) {
  const { table } = fresh;
  const { client } = createCrashingClient(table.endpoint, point);
  return createTestService({ table, clock, client, config: { settingsLifetimeMs: 0 } });
}

async function surroundings(world: ConsoleWorld, { isStale, fault, hold }: Around): Promise<Surroundings> {
  const by: Fault['by'] | undefined =
    fault && (fault.crash === null ? 'loss' : await dying(world, fault.crash));
  return {
    service: isStale ? world.stale : world.fresh,
    fault: fault && by && { request: fault.request, by },
    hold,
  };
}

async function goOn(world: ConsoleWorld, tab: ConsoleTab, meanwhile: Around['meanwhile']): Promise<void> {
  if (meanwhile === 'closes') return tab.close();
  if (meanwhile === 'comes back' && tab.place !== undefined) await tab.open(tab.place);
  return tab.ordering === undefined ? tab.type('question', world.newWords('meanwhile')) : tab.move(0, 1);
}

export async function perform(world: ConsoleWorld, deed: Deed): Promise<void> {
  await carryOut(world, deed);
  if (!('meanwhile' in deed)) return;
  const tab = world.tabs[deed.who];
  if (tab.isHeld) await goOn(world, tab, deed.meanwhile);
}

async function carryOut(world: ConsoleWorld, deed: Deed): Promise<void> {
  const slugs = [...world.stored.surveys.keys()];
  const own = slugs.filter((slug) => PAIR.every((name) => name !== slug));
  if (deed.kind === 'wait') return world.clock.advance(deed.minutes * MINUTE);
  if (deed.kind === 'apply') return world.apply(SLUG, deed);
  if (deed.kind === 'script') {
    const alive = deed.isStale ? world.stale : world.fresh;
    const service = deed.crash === undefined ? alive : await dying(world, deed.crash);
    return world.script(service, deed.what, SLUG);
  }
  if (deed.kind === 'purge') {
    const service = deed.crash === undefined ? world.fresh : await dying(world, deed.crash);
    const slug = deed.at < 4 && own.includes(SLUG) ? SLUG : (slugs[deed.at % slugs.length] ?? SLUG);
    return world.purge(service, slug, deed.isCarriedOut);
  }
  const tab = world.tabs[deed.who];
  if (deed.kind === 'sign in') return world.signIn(deed.who);
  if (deed.kind === 'close') return tab.close();
  if (deed.kind === 'leave') return tab.leave();
  if (deed.kind === 'let go') return tab.letGo();
  if (deed.kind === 'open') {
    const slug = deed.screen === 'edit' ? (own[deed.at % own.length] ?? SLUG) : '';
    return tab.open(
      { screen: deed.screen === 'order' ? 'order' : 'editor', slug },
      await surroundings(world, deed),
    );
  }
  if (deed.kind === 'discard') return tab.ordering === undefined ? tab.discard() : tab.discardOrder();
  if (deed.kind === 'move' || deed.kind === 'store order') {
    if (tab.ordering === undefined) await tab.open({ screen: 'order', slug: '' });
    if (deed.kind === 'move') return tab.move(deed.at, deed.by);
    await tab.decideOrder(deed.side);
    return tab.storeOrder(await surroundings(world, deed));
  }
  const isElsewhere = deed.kind === 'publish' && deed.isNew && tab.place?.slug !== '';
  if (isElsewhere || (tab.editor === undefined && deed.kind !== 'confirm'))
    await tab.open({ screen: 'editor', slug: isElsewhere ? '' : SLUG });
  if (deed.kind === 'type')
    return tab.type(deed.field, deed.isCommon ? 'common words' : world.newWords('typed'));
  const around = await surroundings(world, deed);
  if (deed.kind === 'publish') {
    // The slug is already taken.
    if (tab.editor?.problems.some(({ path }) => path === 'slug'))
      await tab.type('slug', world.newWords('new').replace(' ', '-'));
    const status = tab.editor?.draft.base?.status ?? 'draft';
    const other = status === 'active' ? 'paused' : 'active';
    const isOfStatus = deed.isOfStatus && status !== 'draft';
    const wish = { status: status === 'draft' || isOfStatus ? other : status, isOfStatus } as const;
    await tab.begin(deed.isStoring ? { service: around.service } : around, wish, deed.side);
    if (!deed.isConfirmed) return;
  } else await tab.decide(deed.side);
  await tab.confirm(around);
}
