import { expect, it } from 'vitest';
import { createStorage } from '../../../../sdk/browser/client/storage.ts';
import { createRatings } from '../../../../sdk/browser/thumbs/ratings.ts';

const binding = { surveyId: 'sv_1', showToken: 'token', sessionId: 'session' };

it("returns a token's last choice, even by a person who signed in meanwhile", () => {
  const ratings = createRatings(createStorage('canvass', false), () => {});
  const rated = { binding, known: 0, at: Date.now(), open: true };
  ratings.keep({ ...rated, mark: 1, rating: 0 });
  ratings.keep({ ...rated, mark: 2, rating: 1 });
  expect(ratings.ofToken('token')).toMatchObject({ mark: 2, rating: 1 });
  ratings.forget({ mark: 2, binding });
  expect(ratings.ofToken('token')).toMatchObject({ mark: 1, rating: 0 });
});
