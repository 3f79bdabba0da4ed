import { invalid } from '../shared/contract/errors.ts';
import * as routes from '../shared/contract/routes/score-routes.ts';
import { SECOND } from '../shared/domain/duration.ts';
import { readScorePage } from './push/score-page.ts';
import { serviceOnLambda } from './runtime/compose.ts';
import { endpoint } from './runtime/endpoint.ts';

export const listPendingScores = endpoint(
  routes.listPendingScores,
  async ({ input, settings, now, count, service }) => {
    const page = await readScorePage(service, settings, input, (since) =>
      count('oldest_pending', Math.max(0, now - Date.parse(since)) / SECOND),
    );
    return page ?? invalid('cursor', 'was not issued to this project for this query');
  },
);

export const handler = serviceOnLambda(listPendingScores.create);
