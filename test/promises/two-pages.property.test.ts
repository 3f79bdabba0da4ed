/**
 * Two people in the console, a survey file, a program and an operator change surveys at random, with lost replies and
 * crashes. No unseen change is overwritten, no typed text is lost, and no erased survey returns unless someone asks for
 * it (decision 141).
 */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SECOND } from '../../shared/domain/duration.ts';
import { histories } from '../support/depth.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { aConsoleTenant } from '../support/fixtures/signed-in.ts';
import { consoleDeeds, perform, SLUG } from '../support/model/console-deeds.ts';
import { ConsoleWorld, PAIR, PEOPLE } from '../support/model/console-world.ts';
import { createTestClock } from '../support/service/test-clock.ts';
import { createTestService } from '../support/service/test-service.ts';
import { createTestTable } from '../support/service/test-table.ts';

const table = await createTestTable();
const clock = createTestClock();
const fresh = await createTestService({ table, clock, config: { settingsLifetimeMs: 0 } });
const stale = await createTestService({ table, clock });

async function aWorld(): Promise<ConsoleWorld> {
  const slugs = [SLUG, ...PAIR, 'other'];
  const ids = slugs.map(() => aSurvey().id).sort();
  const surveys = ids.map((id, at) => aSurvey({ id }, { slug: slugs[at] ?? '', question: 'As it was?' }));
  const world = new ConsoleWorld(await aConsoleTenant(fresh, {}, surveys), { fresh, stale });
  await world.read();
  for (const who of PEOPLE) await world.signIn(who);
  return world;
}

it('overwrites nothing unseen, loses nothing typed, and lets everyone publish in the end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(consoleDeeds, { minLength: 20, maxLength: 40 }), async (history) => {
      const world = await aWorld();
      for (const deed of history) {
        await perform(world, deed);
        world.expectKept();
        clock.advance(SECOND);
      }
      for (const person of PEOPLE) await world.finish(person);
    }),
    // Shrinking a history would exceed the timeout.
    { numRuns: histories(5), endOnFailure: true },
  );
});

const EDITOR = { screen: 'editor', slug: SLUG } as const;
const NEW = { screen: 'editor', slug: '' } as const;
const ORDER = { screen: 'order', slug: '' } as const;
const PUBLISH = { status: 'active', isOfStatus: false } as const;
const calm = { service: fresh };
const onItsWay = { service: fresh, hold: { request: 1, on: 'way back' } } as const;

it('a pause keeps what someone else stored meanwhile, whether or not the same field was typed here', async () => {
  const world = await aWorld();
  const { ann, bob } = world.tabs;
  for (const tab of [ann, bob]) {
    await tab.open(EDITOR);
    await tab.type('question', 'common words');
  }
  await ann.begin(calm, { status: 'paused', isOfStatus: true }, 'mine');
  await bob.begin(calm, PUBLISH, 'mine');
  await bob.confirm(calm);
  await ann.confirm(calm);
  world.expectKept();
  expect(world.stored.surveys.get(SLUG)).toMatchObject({ question: 'common words', status: 'paused' });
});

it('a late reply for an earlier screen changes nothing on the next one: typed, moved or created', async () => {
  const world = await aWorld();
  const { ann } = world.tabs;
  await ann.open(ORDER, onItsWay);
  await ann.open(ORDER);
  await ann.move(0, 1);
  await ann.letGo();
  expect(ann.keptOrder()?.mine).toEqual(['left', SLUG, 'right', 'other']);

  for (const [place, slug] of [
    [EDITOR, SLUG],
    [NEW, 'nps'],
  ] as const) {
    await ann.open(place);
    await ann.type('question', 'First?');
    await ann.begin(calm, PUBLISH, 'mine');
    await ann.confirm(onItsWay);
    expect(world.stored.surveys.get(slug)).toMatchObject({ question: 'First?', status: 'active' });
    await ann.open(place);
    expect(ann.keptDraft(place.slug)).toBeUndefined();
    await ann.type('question', 'Second?');
    await ann.letGo();
    expect(ann.place).toEqual(place);
    expect(ann.keptDraft(place.slug)?.mine.question).toBe('Second?');
  }
  expect(ann.editor?.draft.mine.slug).toBe('nps-2');
});

it('creates a new survey once when its reply was lost, and continues to edit it', async () => {
  const world = await aWorld();
  const { ann } = world.tabs;
  await ann.open(NEW);
  await ann.begin(calm, PUBLISH, 'mine');
  await ann.confirm({ service: fresh, fault: { request: 1, by: 'loss' } });
  const { revision } = world.stored;
  ann.close();
  await ann.open(NEW);
  await ann.type('question', 'Typed since?');
  await world.finish('ann');
  expect([...world.stored.surveys.keys()]).toEqual([SLUG, ...PAIR, 'other', 'nps', 'nps-2']);
  expect(world.stored.revision).toBe(revision + 1);
});
