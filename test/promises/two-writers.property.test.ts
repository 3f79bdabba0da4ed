/**
 * Two people in the console and two checkouts of the survey file change surveys at random, with lost replies and
 * crashes. No unseen change is overwritten, and no visitor gets half of a change (decision 141).
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { listDefinitions } from '../../functions/list-definitions.ts';
import { putDefinitions } from '../../functions/put-definitions.ts';
import { createAdminCli } from '../support/admin-cli.ts';
import { histories } from '../support/depth.ts';
import { createCrashingClient } from '../support/faults/failing-client.ts';
import { createTestClock } from '../support/service/test-clock.ts';
import { createTestService, type Tenant } from '../support/service/test-service.ts';
import { createTestTable } from '../support/service/test-table.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const table = await createTestTable();
const clock = createTestClock();
const service = await createTestService({ table, clock, config: { settingsLifetimeMs: 0 } });

const PAIR = ['left', 'right'] as const;
const SLUGS = [...PAIR, 'alone'] as const;
type Slug = (typeof SLUGS)[number];
type Words = Partial<Record<Slug, string>>;

interface Definitions {
  readonly revision: number;
  readonly words: Words;
  readonly isOfConsole: (slug: Slug) => boolean;
}

class World {
  readonly tenant: Tenant;
  readonly shown: Record<string, Record<Slug, Set<string | undefined>>> = {};
  readonly seen: Record<string, Definitions> = {};
  readonly folder = temporaryFolder();
  made = 0;

  constructor(tenant: Tenant) {
    this.tenant = tenant;
  }

  newWords = (): string => `words ${++this.made}`;
  file = (author: string): string => join(this.folder, `${author}.yaml`);

  async read(): Promise<Definitions> {
    const { body } = await service.call(listDefinitions, { secretKey: this.tenant.secretKey });
    const words: Words = {};
    for (const { slug, question } of body.surveys as { slug: Slug; question: string }[])
      words[slug] = question;
    return {
      revision: body.revision,
      words,
      isOfConsole: (slug) => body.lastChanges[slug]?.source === 'console',
    };
  }

  show(author: string, words: Words): void {
    const known = this.shown[author] ?? { left: new Set(), right: new Set(), alone: new Set() };
    this.shown[author] = known;
    for (const slug of SLUGS) known[slug].add(words[slug]);
  }

  async expectWholeSet(): Promise<void> {
    const { body } = await service.call(bootstrap, { body: { key: this.tenant.publishableKey } });
    const [left, right] = PAIR.map(
      (slug) => body.surveys.find((survey: { slug: string }) => survey.slug === slug)?.question,
    );
    expect(left).toBe(right);
  }

  async act(
    author: string,
    isForced: boolean,
    deed: (before: Definitions) => Promise<unknown>,
  ): Promise<void> {
    const before = await this.read();
    await Promise.all([deed(before), this.expectWholeSet()]);
    const after = await this.read();
    for (const slug of SLUGS) {
      const isOther = before.words[slug] !== after.words[slug];
      // Git merges two checkouts of a file.
      if (!isOther || isForced || !before.isOfConsole(slug)) continue;
      expect([author, slug, [...(this.shown[author]?.[slug] ?? [])]]).toEqual([
        author,
        slug,
        expect.arrayContaining([before.words[slug]]),
      ]);
    }
    await this.expectWholeSet();
  }
}

const written = (slug: Slug, question: string) => ({ slug, type: 'nps', question });
const targets = (isPair: boolean): readonly Slug[] => (isPair ? PAIR : ['alone']);

const editor = fc.constantFrom('ann', 'bob');
const engineer = fc.constantFrom('cy', 'dora');

const dies = fc.oneof(
  { weight: 4, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.record({
      call: fc.integer({ min: 1, max: 6 }),
      when: fc.constantFrom('before' as const, 'after' as const),
    }),
  },
);

const looks = fc.record({ kind: fc.constant('look' as const), who: editor });
const publishes = fc.record({
  kind: fc.constant('publish' as const),
  who: editor,
  isPair: fc.boolean(),
  isLost: fc.boolean(),
  crash: dies,
});
const edits = fc.record({ kind: fc.constant('edit' as const), who: engineer, isPair: fc.boolean() });
const pulls = fc.record({ kind: fc.constant('pull' as const), who: engineer });
const applies = fc.record({
  kind: fc.constant('apply' as const),
  who: engineer,
  flags: fc.constantFrom<readonly string[]>([], [], [], ['--prune'], ['--overwrite']),
  edit: fc.constantFrom('pair' as const, 'alone' as const, undefined),
  crash: dies,
});
type Deed = typeof looks | typeof publishes | typeof edits | typeof pulls | typeof applies extends infer A
  ? A extends fc.Arbitrary<infer T>
    ? T
    : never
  : never;

function ofCrash(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'Crash') throw error;
}

async function perform(world: World, deed: Deed): Promise<void> {
  const { who } = deed;
  const of = ['--project', world.tenant.project.id] as const;
  if (deed.kind === 'look') {
    const now = await world.read();
    world.seen[who] = now;
    world.show(who, now.words);
  } else if (deed.kind === 'publish') {
    const seen = world.seen[who] ?? (await world.read());
    if (world.seen[who] === undefined) world.show(who, seen.words);
    world.seen[who] = seen;
    const words = world.newWords();
    const surveys = targets(deed.isPair).map((slug) => written(slug, words));
    const call = { secretKey: world.tenant.secretKey, body: { revision: seen.revision, surveys } };
    await world.act(who, false, async () => {
      if (deed.crash !== null) {
        const { client } = createCrashingClient(table.endpoint, deed.crash);
        const dying = await createTestService({ table, clock, client, config: { settingsLifetimeMs: 0 } });
        await dying.call(putDefinitions, call);
      }
      const replies = [await service.call(putDefinitions, call)];
      if (deed.isLost) replies.push(await service.call(putDefinitions, call));
      // The repeated request finds its own change stored, or someone else's.
      expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true);
      if (replies[0]?.status === 200)
        world.show(who, Object.fromEntries(surveys.map((one) => [one.slug, words])));
    });
  } else if (deed.kind === 'edit') {
    const file = world.file(who);
    const words = world.newWords();
    const text = existsSync(file) ? readFileSync(file, 'utf8') : 'surveys:\n';
    const others = text
      .split('\n  - ')
      .filter((part) => !targets(deed.isPair).some((slug) => part.startsWith(`slug: ${slug}\n`)));
    const added = targets(deed.isPair).map((slug) => `slug: ${slug}\n    type: nps\n    question: ${words}`);
    const [head = 'surveys:', ...kept] = others;
    // The `pulled` note follows the last survey.
    const note = /\npulled: .*/.exec(text)?.[0] ?? '';
    const bare = (part: string) => part.replace(/\npulled: .*/s, '').trimEnd();
    writeFileSync(file, `${[bare(head), ...kept.map(bare), ...added].join('\n  - ')}${note}\n`);
  } else if (deed.kind === 'pull') {
    const before = await world.read();
    const { status } = await createAdminCli({ table, clock }).run(
      'survey',
      'pull',
      ...of,
      '-f',
      world.file(who),
    );
    if (status === 0) world.show(who, before.words);
  } else {
    const file = world.file(who);
    if (deed.edit !== undefined)
      await perform(world, { ...deed, kind: 'edit', isPair: deed.edit === 'pair' });
    if (!existsSync(file)) return;
    const args = ['survey', 'apply', ...of, '-f', file, '--yes', ...deed.flags];
    await world.act(who, deed.flags.includes('--overwrite'), async () => {
      if (deed.crash === null) await createAdminCli({ table, clock }).run(...args);
      else {
        const { client } = createCrashingClient(table.endpoint, deed.crash);
        await createAdminCli({ table, clock }, { client })
          .run(...args)
          .catch(ofCrash);
      }
    });
  }
}

it('overwrites nothing unseen and never serves half of a change', async () => {
  const history = fc.array(fc.oneof(looks, publishes, publishes, edits, pulls, applies, applies), {
    minLength: 8,
    maxLength: 16,
  });
  await fc.assert(
    fc.asyncProperty(history, async (deeds) => {
      const world = new World(await service.tenant({}, []));
      for (const deed of deeds) await perform(world, deed);
    }),
    { numRuns: histories(5) },
  );
});
