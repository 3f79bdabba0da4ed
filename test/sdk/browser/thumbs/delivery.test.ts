import { expect, it, vi } from 'vitest';
import type { Client } from '../../../../sdk/browser/client/modules.ts';
import { createOutbox } from '../../../../sdk/browser/client/outbox.ts';
import type { Reply } from '../../../../sdk/browser/client/post.ts';
import { createStorage } from '../../../../sdk/browser/client/storage.ts';
import { createDelivery } from '../../../../sdk/browser/thumbs/delivery.ts';
import { createRatings } from '../../../../sdk/browser/thumbs/ratings.ts';

const bindingOf = (showToken: string) => ({ surveyId: 'sv_1', showToken, sessionId: showToken });

function open(reply: (path: string, body: Record<string, unknown>) => Reply) {
  const storage = createStorage('canvass', false, 'sessionStorage');
  const sent: object[] = [];
  const client = {
    options: { key: 'svc_pk_1' },
    person: { name: 'ann', id: () => 'ann' },
    storage,
    emit: () => {},
    signal: new AbortController().signal,
    async post(path: string, body: Record<string, unknown>) {
      const { showToken, rating, revision } = body;
      sent.push({ showToken, rating, revision });
      return reply(path, body);
    },
  } as unknown as Client;
  const ratings = createRatings(storage, () => {});
  return { storage, sent, ratings, deliver: createDelivery(client, createOutbox, ratings, () => {}) };
}

it.each([
  ['a first rating', '/v1/sdk/responses', {}, -1],
  ['a revision', '/v1/sdk/revisions', { revision: 1 }, 0],
])("delivers %s from an earlier page's outbox before newer choices", async (_, path, more, known) => {
  const { storage, sent, ratings, deliver } = open(() => ({ status: 200, data: { ok: true } }));
  const [left, other] = [bindingOf('left'), bindingOf('other')];
  const at = Date.now();
  ratings.keep({ mark: 1, binding: left, known, rating: 0, at, open: true });
  ratings.keep({ mark: 1, binding: other, known: -1, rating: 1, at, open: true });
  const body = { ...left, rating: 1, ...more };
  storage.update({ outbox: [{ token: 'left', mark: 1, path, body, tries: 1, at }] });
  deliver({ mark: 1, binding: other });
  await vi.waitFor(() => expect(ratings.ofToken('left')).toMatchObject({ rating: 0, open: false }));
  expect(sent.filter((one) => 'showToken' in one && one.showToken === 'left')).toEqual([
    { showToken: 'left', rating: 1, ...more },
    { showToken: 'left', rating: 0, revision: known + 2 },
  ]);
  expect(ratings.ofToken('left')).toMatchObject({ known: known + 2 });
  expect(storage.read().outbox).toEqual([]);
});

it('does not send a choice again that returns to what is in flight', async () => {
  const { sent, ratings, deliver } = open(() => ({ status: 201, data: { ok: true } }));
  const message = { mark: 1, binding: bindingOf('token') };
  for (const rating of [1, 0, 1]) {
    ratings.keep({ ...message, known: -1, rating, at: Date.now(), open: true });
    deliver(message);
  }
  await vi.waitFor(() => expect(ratings.ofToken('token')).toMatchObject({ known: 0, open: false }));
  expect(sent).toEqual([{ showToken: 'token', rating: 1, revision: undefined }]);
});

const binding = { surveyId: 'sv_1', showToken: 'token', sessionId: 'session' };

it("returns a token's last choice, even by a person who signed in meanwhile", () => {
  const ratings = createRatings(createStorage('canvass', false, 'sessionStorage'), () => {});
  const rated = { binding, known: 0, at: Date.now(), open: true };
  ratings.keep({ ...rated, mark: 1, rating: 0 });
  ratings.keep({ ...rated, mark: 2, rating: 1 });
  expect(ratings.ofToken('token')).toMatchObject({ mark: 2, rating: 1 });
  ratings.forget({ mark: 2, binding });
  expect(ratings.ofToken('token')).toMatchObject({ mark: 1, rating: 0 });
});
