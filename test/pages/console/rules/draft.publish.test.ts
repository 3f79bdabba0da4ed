/** What the editor does where the surveys are at another revision than its draft. */

import { expect, it, vi } from 'vitest';
import type { Draft } from '../../../../pages/console/rules/draft.ts';
import { changed, newSurvey } from '../../../../pages/console/rules/edited-survey.ts';
import type { WrittenSurvey } from '../../../../shared/domain/surveys/written-survey.ts';

interface Question {
  readonly method?: string;
  readonly body?: { readonly revision: number };
}
type Ask = (path: string, question?: Question) => Promise<unknown>;
type Deed<Given extends unknown[]> = (ask: Ask, ...given: Given) => Promise<object>;

/** Compiled for browsers, apart from tests: loaded as it is. */
const load = (path: string) => import(new URL(`../../../../pages/console/app/${path}`, import.meta.url).href);

vi.stubGlobal('location', { pathname: '/console/project' });
const { preview, store }: { preview: Deed<[Draft, object]>; store: Deed<[object]> } =
  await load('editor/use-draft.ts');
const { Refused }: { Refused: new (status: number, body: object) => Error } = await load('session/ask.ts');

const PUBLISH = { status: 'active', isOfStatus: false };
const NEW = newSurvey('nps', []);
const SENT = changed(NEW, { status: 'active' });
const TYPED = changed(NEW, { question: 'Typed since?' });

/** A service at revision 2 that holds these surveys. */
const holding =
  (...surveys: WrittenSurvey[]): Ask =>
  async (_, { method, body } = {}) => {
    if (method !== 'PUT')
      return { revision: 2, order: surveys.map(({ slug }) => slug), surveys, lastChanges: {} };
    if (body?.revision !== 2) throw new Refused(409, { error: { code: 'surveys_changed' } });
    return { revision: 3, changes: [] };
  };

it('a new survey whose reply was lost, and that was edited since, goes on as a change of it', async () => {
  const draft = { mine: TYPED, sent: SENT, revision: 1, at: 1 };
  const target = changed(TYPED, { status: 'active' });
  expect(await preview(holding(SENT), draft, PUBLISH)).toMatchObject({
    is: 'reviewed',
    review: { target, draft: { mine: TYPED, base: SENT, revision: 2 } },
  });
});

it('and what somebody has changed of it by then is decided, not overwritten', async () => {
  const draft = { mine: TYPED, sent: SENT, revision: 1, at: 1 };
  const theirs = changed(SENT, { question: 'Theirs?' });
  expect(await preview(holding(theirs), draft, PUBLISH)).toMatchObject({
    is: 'conflict',
    conflict: { theirs, draft: { base: SENT }, differences: [{ field: 'question', isClash: true }] },
  });
});

it('a change whose reply was lost, and that was edited since, is not told as somebody else’s', async () => {
  const base = changed(SENT, { question: 'As it was?' });
  const draft = { mine: changed(TYPED, { status: 'active' }), base, sent: SENT, revision: 1, at: 1 };
  const review = { draft: { mine: draft.mine, base: SENT, revision: 2 } };
  expect(await preview(holding(SENT), draft, PUBLISH)).toMatchObject({ is: 'reviewed', review });
  const theirs = changed(SENT, { question: 'Theirs?' });
  expect(await preview(holding(theirs), draft, PUBLISH)).toMatchObject({ is: 'conflict' });
});

it('a new survey that was never sent is told that its name is taken', async () => {
  expect(await preview(holding(SENT), { mine: TYPED, revision: 1, at: 1 }, PUBLISH)).toMatchObject({
    is: 'taken',
  });
});

it('a survey that somebody has removed is not made anew unasked, neither shown nor stored', async () => {
  const draft = { mine: TYPED, base: SENT, revision: 1, at: 1 };
  const gone = {
    is: 'gone',
    slugs: [],
    draft: { mine: TYPED, revision: 2, at: 1 },
  };
  expect(await preview(holding(), draft, PUBLISH)).toEqual(gone);
  expect(await store(holding(), { draft, target: TYPED, isOfStatus: false })).toEqual(gone);
});
