import * as routes from '../shared/contract/routes/score-routes.ts';
import { serviceOnLambda } from './runtime/compose.ts';
import { endpoint } from './runtime/endpoint.ts';
import { scores } from './runtime/parts/scores.ts';

export const ackScores = endpoint(routes.ackScores, async ({ input, settings, service }) => ({
  ok: true as const,
  updated: await scores(service).acknowledge(settings.project.id, input.results),
}));

export const handler = serviceOnLambda(ackScores.create);
