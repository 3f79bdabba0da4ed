/** Runs the hooks of the editor and of the survey order without rendering, against a simulated service. */

import { describe, expect, it } from 'vitest';
import { newSurvey } from '../../../../pages/console/rules/edited-survey.ts';
import { merged } from '../../../../pages/console/rules/two-people.ts';
import type { WrittenSurvey } from '../../../../shared/domain/surveys/written-survey.ts';
import { type Ask, ConsolePage, type Place } from '../../../support/model/console-page.ts';

const NEW = { screen: 'editor', slug: '' } as const;
const EDIT = { screen: 'editor', slug: 'nps' } as const;
const ORDER = { screen: 'order', slug: '' } as const;

const settled = () => new Promise(setImmediate);
const active = (slug: string): WrittenSurvey => ({
  ...newSurvey('nps', []),
  slug,
  question: 'First?',
  status: 'active',
});

function aTab(...slugs: string[]) {
  const storage = new Map<string, string>();
  let page = new ConsolePage(storage);
  let surveys = slugs.map(active);
  let revision = 1;
  const losses: { method: string; isStored: boolean }[] = [];
  const put = (changed: readonly WrittenSurvey[], order?: readonly string[]) => {
    const before = JSON.stringify(surveys);
    const bySlug = new Map([...surveys, ...changed].map((survey) => [survey.slug, survey]));
    surveys = [...bySlug.values()];
    if (order !== undefined) surveys.sort((a, b) => order.indexOf(a.slug) - order.indexOf(b.slug));
    // The service does not count a repeated request.
    if (JSON.stringify(surveys) !== before) revision += 1;
  };
  const ask: Ask = async (_, { method = 'GET', body } = {}) => {
    const at = losses.findIndex((each) => each.method === method);
    const [loss] = at < 0 ? [] : losses.splice(at, 1);
    if (loss?.isStored === false) throw page.refusal(0);
    if (method === 'GET') {
      const order = surveys.map(({ slug }) => slug);
      return { revision, order, surveys, lastChanges: {} };
    }
    const sent = body as { revision: number; surveys: WrittenSurvey[]; order?: string[]; dryRun?: boolean };
    if (sent.revision !== revision) throw page.refusal(409, { error: { code: 'surveys_changed' } });
    if (sent.dryRun !== true) put(sent.surveys, sent.order);
    if (loss !== undefined) throw page.refusal(0);
    return { revision, changes: [] };
  };
  const editor = () => {
    if (page.editor === undefined) throw new Error('The editor is not open.');
    return page.editor;
  };
  const send = async (event: Parameters<ReturnType<typeof editor>['send']>[0]) => {
    editor().send(event);
    await settled();
  };
  return {
    editor,
    get order() {
      if (page.order === undefined) throw new Error('The order is not open.');
      return page.order;
    },
    kept: () => [...storage.keys()].map((name) => name.replace('canvass-console/model/', '')),
    stored: () => surveys.map(({ slug }) => slug),
    survey: (slug: string) => surveys.find((each) => each.slug === slug),
    get revision() {
      return revision;
    },
    address: () => page.takeAddress(),
    /** The next request of the method gets no reply. */
    lose: (method: 'GET' | 'PUT', isStored = false) => losses.push({ method, isStored }),
    /** Another person's change. */
    change: (slug: string, patch: Partial<WrittenSurvey>) => put([{ ...active(slug), ...patch }]),
    remove(slug: string) {
      surveys = surveys.filter((each) => each.slug !== slug);
      revision += 1;
    },
    async open(place: Place) {
      page.open(place, ask);
      await settled();
    },
    async reload(place: Place) {
      page = new ConsolePage(storage);
      await this.open(place);
    },
    type: (question: string) => send({ type: 'change', patch: { question } }),
    begin: () => send({ type: 'wish', wish: { status: 'active', isOfStatus: false } }),
    confirm: () => send({ type: 'confirm' }),
    discard: () => send({ type: 'discard' }),
    send,
  };
}

describe('the editor', () => {
  it('shows what was done until something is typed', async () => {
    const tab = aTab('nps');
    await tab.open(EDIT);
    await tab.type('Second?');
    await tab.begin();
    await tab.confirm();
    expect(tab.editor().note).toBe('Your changes are published.');
    await tab.type('Third?');
    expect(tab.editor().note).toBe('');
  });

  it('publishes although someone changes another survey before and after the review', async () => {
    const tab = aTab('nps', 'other');
    await tab.open(EDIT);
    await tab.type('Mine?');
    tab.change('other', { question: 'Theirs?' });
    await tab.begin();
    tab.change('other', { question: 'Theirs again?' });
    await tab.confirm();
    expect(tab.editor().note).toBe('Your changes are published.');
    expect([tab.survey('nps')?.question, tab.survey('other')?.question]).toEqual(['Mine?', 'Theirs again?']);
  });

  it('stores the status that the person chose in a conflict', async () => {
    const tab = aTab('nps');
    await tab.open(EDIT);
    await tab.type('Mine?');
    tab.change('nps', { status: 'paused' });
    await tab.begin();
    const { state, draft } = tab.editor();
    if (state.is !== 'conflict') throw new Error(state.is);
    expect(state.conflict.differences).toMatchObject([{ field: 'status', isClash: false }]);
    const versions = { base: active('nps'), theirs: state.conflict.theirs, mine: draft.mine };
    await tab.send({ type: 'decide', mine: merged(versions, new Map([['status', 'theirs']])) ?? draft.mine });
    await tab.confirm();
    expect(tab.editor().note).toBe('Your changes are saved.');
    expect(tab.survey('nps')).toMatchObject({ question: 'Mine?', status: 'paused' });
  });

  it('keeps both versions when the person closes a conflict', async () => {
    const tab = aTab('nps');
    await tab.open(EDIT);
    await tab.type('Mine?');
    tab.change('nps', { question: 'Theirs?' });
    await tab.begin();
    await tab.send({ type: 'close' });
    expect(tab.editor()).toMatchObject({ state: { is: 'typed' }, draft: { mine: { question: 'Mine?' } } });
    expect(tab.survey('nps')).toMatchObject({ question: 'Theirs?' });
  });

  it('pauses a survey without storing its edits', async () => {
    const tab = aTab('nps');
    await tab.open(EDIT);
    await tab.type('Second?');
    await tab.send({ type: 'wish', wish: { status: 'paused', isOfStatus: true } });
    await tab.confirm();
    expect(tab.editor().note).toBe('The survey is paused.');
    expect(tab.survey('nps')).toMatchObject({ question: 'First?', status: 'paused' });
    expect(tab.editor().draft.mine).toMatchObject({ question: 'Second?', status: 'paused' });
    expect(tab.kept()).toEqual(['draft/nps']);
  });

  it('stores changes once when the reply is lost and the person confirms again', async () => {
    const tab = aTab('nps');
    await tab.open(EDIT);
    await tab.type('Second?');
    await tab.begin();
    const { revision } = tab;
    tab.lose('PUT', true);
    await tab.confirm();
    expect(tab.editor().state).toMatchObject({
      is: 'reviewing',
      problem: expect.stringContaining('Try again'),
    });
    await tab.confirm();
    expect([tab.editor().note, tab.revision]).toEqual(['Your changes are published.', revision + 1]);
  });

  it('returns to the list when the edits of a removed survey are discarded', async () => {
    const tab = aTab('nps', 'other');
    await tab.open(EDIT);
    await tab.type('Second?');
    tab.remove('nps');
    await tab.begin();
    expect(tab.editor().failure).toContain('Someone removed this survey');
    expect(tab.editor().draft.base).toBeUndefined();
    expect(tab.stored()).toEqual(['other']);
    await tab.discard();
    expect([tab.address(), tab.kept()]).toEqual(['list', []]);
  });

  it('creates a removed survey again after a reload only when the person confirms', async () => {
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

  it('offers an unsaved new survey once', async () => {
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

  it('removes an error message when the changes are discarded', async () => {
    const tab = aTab('nps');
    await tab.open(EDIT);
    await tab.type('Second?');
    tab.lose('PUT');
    await tab.begin();
    expect(tab.editor().failure).toBeDefined();
    await tab.discard();
    expect(tab.editor().failure).toBeUndefined();
  });
});

describe('the survey order', () => {
  const moveAndSave = async (tab: ReturnType<typeof aTab>, by: -1 | 1) => {
    tab.order.move('second', by);
    await settled();
    await tab.order.store();
    await settled();
  };

  it('is saved, whatever happens to the next request', async () => {
    const tab = aTab('first', 'second');
    await tab.open(ORDER);
    tab.lose('GET');
    await moveAndSave(tab, -1);
    expect([tab.order.note, tab.order.problem]).toEqual(['The order is saved.', undefined]);
    expect([tab.stored(), tab.kept()]).toEqual([['second', 'first'], []]);
    await moveAndSave(tab, 1);
    expect([tab.order.problem, tab.stored()]).toEqual([undefined, ['first', 'second']]);
  });

  it('is not reported as saved when the request fails, and is offered until it is discarded', async () => {
    const tab = aTab('first', 'second');
    await tab.open(ORDER);
    tab.lose('PUT');
    await moveAndSave(tab, -1);
    expect([tab.order.note, tab.order.problem !== undefined]).toEqual(['', true]);
    await tab.reload(ORDER);
    expect(tab.order.isKept).toBe(true);
    tab.order.discard();
    await settled();
    expect([tab.order.isKept, tab.order.note]).toEqual([false, 'Your changes were discarded.']);
    tab.order.move('second', -1);
    await settled();
    expect(tab.order.isKept).toBe(false);
  });

  it('includes a survey that was added before it was saved', async () => {
    const tab = aTab('first', 'second');
    await tab.open(ORDER);
    tab.change('late', {});
    await moveAndSave(tab, -1);
    expect([tab.order.problem, tab.stored()]).toEqual([
      'Someone else has changed the surveys since you opened them. Review the order, and then save it again.',
      ['first', 'second', 'late'],
    ]);
    await tab.order.store();
    await settled();
    expect([tab.order.note, tab.stored()]).toEqual(['The order is saved.', ['second', 'first', 'late']]);
  });
});
