/**
 * One survey, edited at random by two people whose sign-ins end, in pages that are closed, beside a survey file and a
 * program of somebody's, with replies that are lost, functions that die and settings that are half a minute old: nothing
 * is overwritten that its author has not been shown, nothing typed is lost, no visitor is served a part of a change, and
 * in the end everybody can publish (decision 141).
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { listDefinitions } from '../../functions/list-definitions.ts';
import { putDefinitions } from '../../functions/put-definitions.ts';
import { MINUTE, SECOND } from '../../shared/domain/duration.ts';
import type { WrittenSurvey } from '../../shared/domain/surveys/written-survey.ts';
import { createAdminCli } from '../support/admin-cli.ts';
import { histories } from '../support/depth.ts';
import { createCrashingClient } from '../support/faults/crashing-client.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { aConsoleTenant, type ConsoleTenant, EDITOR, headersOf } from '../support/fixtures/signed-in.ts';
import { EditingTab, type Fault, FIELDS, Shown, type Surroundings } from '../support/model/editing-tab.ts';
import { createTestClock } from '../support/service/test-clock.ts';
import { createTestService } from '../support/service/test-service.ts';
import { createTestTable } from '../support/service/test-table.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const table = await createTestTable();
const clock = createTestClock();
const fresh = await createTestService({ table, clock, config: { settingsLifetimeMs: 0 } });
/** Its settings are up to half a minute old. */
const stale = await createTestService({ table, clock });

const SLUG = 'typed';
/** Always written together. */
const PAIR = ['left', 'right'] as const;
const SIGN_IN_MS = 15 * MINUTE;
const PEOPLE = ['ann', 'bob'] as const;
type Who = (typeof PEOPLE)[number];

class World {
  readonly tenant: ConsoleTenant;
  readonly tabs = { ann: new EditingTab(SLUG), bob: new EditingTab(SLUG) };
  readonly signedIn: Partial<Record<Who, string>> = {};
  readonly file = join(temporaryFolder(), 'surveys.yaml');
  /** What whoever keeps the file was shown. */
  readonly pulled = new Shown();
  made = 0;

  constructor(tenant: ConsoleTenant) {
    this.tenant = tenant;
  }

  async read() {
    const { body } = await fresh.call(listDefinitions, { secretKey: this.tenant.secretKey });
    const survey: WrittenSurvey = body.surveys.find(({ slug }: WrittenSurvey) => slug === SLUG);
    return { revision: Number(body.revision), survey, source: String(body.lastChanges[SLUG].source) };
  }

  async signIn(who: Who): Promise<void> {
    const [iat, exp] = [clock.now() / SECOND, (clock.now() + SIGN_IN_MS) / SECOND];
    this.signedIn[who] = await this.tenant.token({ ...EDITOR, sub: who, iat, exp });
  }

  around(who: Who, { isStale, fault }: { isStale: boolean; fault?: Fault | undefined }): Surroundings {
    const headers = async () => headersOf(this.tenant.project.id, this.signedIn[who] ?? 'a.b.c');
    return { service: isStale ? stale : fresh, headers, fault };
  }

  async expectWholeSet(): Promise<void> {
    for (const service of [fresh, stale]) {
      const { body } = await service.call(bootstrap, { body: { key: this.tenant.publishableKey } });
      const served = (slug: string) => body.surveys.find((survey: WrittenSurvey) => survey.slug === slug);
      const [left, right] = PAIR.map((slug) => served(slug)?.question);
      expect(left).toBe(right);
    }
  }

  /** @param shown values that the author was shown, by field; undefined: whatever there is */
  async act(deed: () => Promise<unknown>, shown?: (field: string) => ReadonlySet<unknown>): Promise<void> {
    const before = await this.read();
    await Promise.all([deed(), this.expectWholeSet()]);
    const after = await this.read();
    for (const field of FIELDS) {
      if (shown === undefined || before.survey[field] === after.survey[field]) continue;
      expect([field, ...shown(field)]).toContain(before.survey[field]);
    }
    for (const who of PEOPLE) {
      const tab = this.tabs[who];
      const mine = tab.mine();
      for (const [field, value] of tab.typed) {
        // Somebody stored the same: it is not lost.
        if (Object.entries(after.survey).some(([name, stored]) => name === field && stored === value))
          tab.typed.delete(field);
        else
          expect([who, field, Object.entries(mine ?? {})]).toEqual([
            who,
            field,
            expect.arrayContaining([[field, value]]),
          ]);
      }
    }
  }
}

const who = fc.constantFrom(...PEOPLE);
const isStale = fc.boolean();
const fault = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.record({ request: fc.integer({ min: 1, max: 3 }), crash: fc.constant(undefined) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      request: fc.integer({ min: 1, max: 3 }),
      crash: fc.record({
        call: fc.integer({ min: 1, max: 5 }),
        when: fc.constantFrom('before' as const, 'after' as const),
      }),
    }),
  },
);

const opens = fc.record({ kind: fc.constant('open' as const), who, isStale });
const types = fc.record({
  kind: fc.constant('type' as const),
  who,
  field: fc.constantFrom('question' as const, 'followUpQuestion' as const),
  /** Words that somebody else has, too. */
  isCommon: fc.boolean(),
});
const publishes = fc.record({
  kind: fc.constant('publish' as const),
  who,
  isStale,
  fault,
  isOfStatus: fc.boolean(),
  side: fc.constantFrom('mine' as const, 'theirs' as const),
  /** Else the dialog is left open: others may be first. */
  isConfirmed: fc.boolean(),
});
const confirms = fc.record({ kind: fc.constant('confirm' as const), isStale, fault });
const others = fc.oneof(
  fc.record({ kind: fc.constant('sign in' as const), who }),
  fc.record({ kind: fc.constant('close' as const), who }),
  fc.record({ kind: fc.constant('wait' as const), minutes: fc.constantFrom(0.1, 1, 10) }),
  fc.record({ kind: fc.constant('script' as const), isStale }),
  fc.record({ kind: fc.constant('apply' as const), isPulled: fc.boolean(), isForced: fc.boolean() }),
);
const deeds = fc.oneof(
  { weight: 1, arbitrary: opens },
  { weight: 3, arbitrary: types },
  { weight: 3, arbitrary: publishes },
  { weight: 3, arbitrary: confirms },
  { weight: 3, arbitrary: others },
);
type Deed = typeof deeds extends fc.Arbitrary<infer T> ? T : never;

async function faultOf(given: Extract<Deed, { kind: 'confirm' }>['fault']): Promise<Fault | undefined> {
  if (given === undefined) return undefined;
  if (given.crash === undefined) return { request: given.request, by: 'loss' };
  const { client } = createCrashingClient(table.endpoint, given.crash);
  const by = await createTestService({ table, clock, client, config: { settingsLifetimeMs: 0 } });
  return { request: given.request, by };
}

async function apply(world: World, { isPulled, isForced }: Extract<Deed, { kind: 'apply' }>): Promise<void> {
  const { file, pulled } = world;
  const cli = createAdminCli({ table, clock });
  const of = ['--project', world.tenant.project.id, '-f', file];
  if (isPulled || !existsSync(file)) {
    const { survey } = await world.read();
    expect((await cli.run('survey', 'pull', ...of)).status).toBe(0);
    for (const field of FIELDS) pulled.see(field, survey[field]);
  }
  const words = `file ${++world.made}`;
  const text = readFileSync(file, 'utf8');
  const asked = new RegExp(`(slug: ${SLUG}\\n(?: .*\\n)*? +question: ).*`);
  expect(text).toMatch(asked);
  writeFileSync(file, text.replace(asked, `$1${words}`));
  // What a file says is known to whoever reads the file: git is between them.
  const isTheirs = (await world.read()).source === 'apply';
  await world.act(
    () => cli.run('survey', 'apply', ...of, '--yes', ...(isForced ? ['--overwrite'] : [])),
    isForced || isTheirs ? undefined : pulled.of,
  );
}

async function perform(world: World, deed: Deed): Promise<void> {
  if (deed.kind === 'wait') return clock.advance(deed.minutes * MINUTE);
  if (deed.kind === 'apply') return apply(world, deed);
  if (deed.kind === 'script') {
    const { revision } = await world.read();
    const question = `script ${++world.made}`;
    const surveys = PAIR.map((slug) => ({ slug, type: 'nps', question }));
    const { secretKey } = world.tenant;
    return world.act(() =>
      (deed.isStale ? stale : fresh).call(putDefinitions, { secretKey, body: { revision, surveys } }),
    );
  }
  if (deed.kind === 'confirm') {
    for (const person of PEOPLE) {
      const tab = world.tabs[person];
      const around = world.around(person, { isStale: deed.isStale, fault: await faultOf(deed.fault) });
      if (tab.isAsked) return world.act(() => tab.confirm(around), tab.shown.of);
    }
    return;
  }
  const tab = world.tabs[deed.who];
  if (deed.kind === 'sign in') return world.signIn(deed.who);
  if (deed.kind === 'close') return tab.close();
  if (deed.kind === 'open') return void (await tab.open(world.around(deed.who, deed)));
  if (tab.draft === undefined) await tab.open(world.around(deed.who, { isStale: false }));
  if (deed.kind === 'type') {
    tab.type({ [deed.field]: deed.isCommon ? 'common words' : `typed ${++world.made}` });
    return world.act(async () => undefined);
  }
  const around = world.around(deed.who, { isStale: deed.isStale, fault: await faultOf(deed.fault) });
  const status = tab.draft?.base?.status ?? 'active';
  const other = status === 'active' ? 'paused' : 'active';
  const wish = { isOfStatus: deed.isOfStatus, status: deed.isOfStatus ? other : status } as const;
  await world.act(() => tab.review(around, wish, deed.side), tab.shown.of);
  if (deed.isConfirmed && tab.isAsked) await world.act(() => tab.confirm(around), tab.shown.of);
}

it('nothing is overwritten unseen, nothing typed is lost, and everybody publishes in the end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deeds, { minLength: 20, maxLength: 30 }), async (history) => {
      const tenant = await aConsoleTenant(fresh, {}, [aSurvey({}, { slug: SLUG, question: 'As it was?' })]);
      const world = new World(tenant);
      for (const person of PEOPLE) {
        await world.signIn(person);
        await world.tabs[person].open(world.around(person, { isStale: false }));
      }
      for (const deed of history) await perform(world, deed);
      for (const person of PEOPLE) {
        const tab = world.tabs[person];
        await world.signIn(person);
        const around = world.around(person, { isStale: true });
        if (tab.draft === undefined) expect(await tab.open(around)).toBe(true);
        const wanted = new Map(tab.typed);
        const wish = { isOfStatus: false, status: tab.draft?.base?.status ?? 'active' } as const;
        expect(await tab.review(around, wish, 'mine')).toBe('review');
        await world.act(async () => expect(await tab.confirm(around)).toBe('stored'), tab.shown.of);
        const { survey } = await world.read();
        expect(survey).toMatchObject(Object.fromEntries(wanted));
      }
    }),
    { numRuns: histories(5, 60) },
  );
});

it('a pause undoes nothing that somebody else stored meanwhile, typed here as well or not', async () => {
  const tenant = await aConsoleTenant(fresh, {}, [aSurvey({}, { slug: SLUG, question: 'As it was?' })]);
  const world = new World(tenant);
  const { ann, bob } = world.tabs;
  const around = (person: Who) => world.around(person, { isStale: false });
  for (const person of PEOPLE) {
    await world.signIn(person);
    await world.tabs[person].open(around(person));
    world.tabs[person].type({ question: 'common words' });
  }
  expect(await ann.review(around('ann'), { isOfStatus: true, status: 'paused' }, 'mine')).toBe('review');
  await bob.review(around('bob'), { isOfStatus: false, status: 'active' }, 'mine');
  expect(await bob.confirm(around('bob'))).toBe('stored');
  expect(await ann.confirm(around('ann'))).toBe('stored');
  expect((await world.read()).survey).toMatchObject({ question: 'common words', status: 'paused' });
});
