/** What the editor and the order say and keep, without their looks: the page's hooks, over a service that is played. */

import { expect, it } from 'vitest';
import { newSurvey } from '../../../pages/console/rules/edited-survey.ts';
import type { WrittenSurvey } from '../../../shared/domain/surveys/written-survey.ts';
import { type Ask, ConsolePage } from '../../support/model/console-page.ts';

const PUBLISH = { status: 'active', isOfStatus: false } as const;
const NEW = { screen: 'editor', slug: '' } as const;
const EDIT = { screen: 'editor', slug: 'nps' } as const;
const ORDER = { screen: 'order', slug: '' } as const;
const NO_ANSWER = 0;

const settled = () => new Promise(setImmediate);
const active = (slug: string): WrittenSurvey => ({
  ...newSurvey('nps', []),
  slug,
  question: 'First?',
  status: 'active',
});

/** A tab, and a service that holds surveys: `refuse` lets the next question of a method fail. */
function aTab(...slugs: string[]) {
  const storage = new Map<string, string>();
  let page = new ConsolePage(storage);
  let surveys = slugs.map(active);
  let revision = 1;
  const refusals: { method: string; status: number; code?: string }[] = [];
  const ask: Ask = async (_, { method = 'GET', body } = {}) => {
    const at = refusals.findIndex((each) => each.method === method);
    const [refusal] = at < 0 ? [] : refusals.splice(at, 1);
    if (refusal !== undefined) throw page.refusal(refusal.status, { error: { code: refusal.code } });
    if (method === 'GET') {
      const order = surveys.map(({ slug }) => slug);
      return { revision, order, surveys, lastChanges: {} };
    }
    const sent = body as {
      revision: number;
      surveys: WrittenSurvey[];
      order?: string[];
      dryRun?: boolean;
    };
    if (sent.revision !== revision) throw page.refusal(409, { error: { code: 'surveys_changed' } });
    if (sent.dryRun === true) return { revision, changes: [] };
    const others = surveys.filter(({ slug }) => sent.surveys.every((each) => each.slug !== slug));
    surveys = [...others, ...sent.surveys];
    const { order } = sent;
    if (order !== undefined) surveys.sort((a, b) => order.indexOf(a.slug) - order.indexOf(b.slug));
    revision += 1;
    return { revision, changes: [] };
  };
  const editor = () => {
    if (page.editor === undefined) throw new Error('no editor');
    return page.editor;
  };
  const order = () => {
    if (page.order === undefined) throw new Error('no order');
    return page.order;
  };
  return {
    editor,
    order,
    kept: () => [...storage.keys()].map((name) => name.replace('canvass-console/model/', '')),
    stored: () => surveys.map(({ slug }) => slug),
    address: () => page.takeAddress(),
    refuse: (method: 'GET' | 'PUT', status: number, code?: string) =>
      refusals.push({ method, status, ...(code !== undefined && { code }) }),
    /** As somebody else would. */
    remove(slug: string) {
      surveys = surveys.filter((each) => each.slug !== slug);
      revision += 1;
    },
    async open(place: typeof NEW | typeof EDIT | typeof ORDER) {
      page.open(place, ask);
      await settled();
    },
    async reload(place: typeof NEW | typeof EDIT | typeof ORDER) {
      page = new ConsolePage(storage);
      await this.open(place);
    },
    async type(question: string) {
      editor().send({ type: 'change', patch: { question } });
      await settled();
    },
    async begin() {
      editor().send({ type: 'wish', wish: PUBLISH });
      await settled();
    },
    async confirm() {
      editor().send({ type: 'confirm' });
      await settled();
    },
    async discard() {
      editor().send({ type: 'discard' });
      await settled();
    },
  };
}

it('what was done is said until something is typed', async () => {
  const tab = aTab('nps');
  await tab.open(EDIT);
  await tab.type('Second?');
  await tab.begin();
  await tab.confirm();
  expect(tab.editor().note).toBe('Your changes are published.');
  await tab.type('Third?');
  expect(tab.editor().note).toBe('');
});

it('discarding what was typed of a survey that somebody removed leads back to the list, and nothing is kept', async () => {
  const tab = aTab('nps', 'other');
  await tab.open(EDIT);
  await tab.type('Second?');
  tab.remove('nps');
  await tab.begin();
  expect(tab.editor().failure).toContain('Someone removed this survey');
  expect(tab.editor().draft.base).toBeUndefined();
  await tab.discard();
  expect([tab.address(), tab.kept()]).toEqual(['list', []]);
});

it('opened again after it was removed, it has nothing to go back to either; made anew, it has', async () => {
  const tab = aTab('nps', 'other');
  await tab.open(EDIT);
  await tab.type('Second?');
  tab.remove('nps');
  await tab.reload(EDIT);
  await tab.begin();
  await tab.begin();
  await tab.confirm();
  expect(tab.stored()).toEqual(['other', 'nps']);
  await tab.type('Third?');
  await tab.discard();
  expect([tab.address(), tab.editor().draft.mine.question]).toEqual([undefined, 'Second?']);

  await tab.type('Fourth?');
  tab.remove('nps');
  await tab.reload(EDIT);
  await tab.discard();
  expect([tab.address(), tab.kept()]).toEqual(['list', []]);
});

it('a new survey that was kept is offered once: not after it was discarded, nor after it was typed in again', async () => {
  const tab = aTab();
  await tab.open(NEW);
  await tab.type('Begun?');
  expect(tab.editor().isOffered).toBe(false);
  await tab.reload(NEW);
  expect([tab.editor().isOffered, tab.editor().draft.mine.question]).toEqual([true, 'Begun?']);
  await tab.discard();
  expect([tab.editor().isOffered, tab.editor().note]).toEqual([false, 'Your changes were discarded.']);
  expect(tab.kept()).toEqual([]);
  await tab.type('Begun again?');
  expect(tab.editor().isOffered).toBe(false);
});

it('what went wrong is no longer said once the changes are discarded', async () => {
  const tab = aTab('nps');
  await tab.open(EDIT);
  await tab.type('Second?');
  tab.refuse('PUT', NO_ANSWER);
  await tab.begin();
  expect(tab.editor().failure).toBeDefined();
  await tab.discard();
  expect(tab.editor().failure).toBeUndefined();
});

it('an order that is stored is said to be saved, whatever becomes of the next question', async () => {
  const tab = aTab('first', 'second');
  await tab.open(ORDER);
  tab.order().move('second', -1);
  await settled();
  tab.refuse('GET', NO_ANSWER);
  await tab.order().store();
  await settled();
  expect([tab.order().note, tab.order().problem]).toEqual(['The order is saved.', undefined]);
  expect([tab.stored(), tab.kept()]).toEqual([['second', 'first'], []]);
  // At the revision that it is of by now.
  tab.order().move('second', 1);
  await settled();
  await tab.order().store();
  await settled();
  expect([tab.order().problem, tab.stored()]).toEqual([undefined, ['first', 'second']]);
});

it('an order that is not stored is not said to be, and what was kept of it is offered until it is discarded', async () => {
  const tab = aTab('first', 'second');
  await tab.open(ORDER);
  tab.order().move('second', -1);
  await settled();
  tab.refuse('PUT', NO_ANSWER);
  await tab.order().store();
  await settled();
  expect([tab.order().note, tab.order().problem !== undefined]).toEqual(['', true]);
  await tab.reload(ORDER);
  expect(tab.order().isKept).toBe(true);
  tab.order().discard();
  await settled();
  expect([tab.order().isKept, tab.order().note]).toEqual([false, 'Your changes were discarded.']);
  tab.order().move('second', -1);
  await settled();
  expect(tab.order().isKept).toBe(false);
});
