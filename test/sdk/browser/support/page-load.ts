import type { CanvassError } from '../../../../sdk/browser/client/events.ts';
import { createOutbox } from '../../../../sdk/browser/client/outbox.ts';
import { createPost } from '../../../../sdk/browser/client/post.ts';
import { createStorage } from '../../../../sdk/browser/client/storage.ts';

export const NAME = 'canvass.svc_pk_1';

/** A page load: the same storage with a new client. */
export function load(persistent = true, base = 'https://service') {
  const leaving = new AbortController();
  const refused: CanvassError[] = [];
  const storage = createStorage(NAME, persistent);
  const post = createPost(base, storage);
  const { put, flush } = createOutbox({
    storage,
    post,
    emit: (_, detail) => refused.push(detail as CanvassError),
    signal: leaving.signal,
  });
  const answer = (token: string, holdMs = 0, again = false, rating = 9, more = {}) => {
    const body = { showToken: token, rating, ...more };
    put({ token, mark: 1, path: '/v1/sdk/responses', body }, holdMs, again);
  };
  return { ...storage, post, flush, answer, refused, leave: () => leaving.abort() };
}
