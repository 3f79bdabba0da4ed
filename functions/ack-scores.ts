import * as routes from '../shared/contract/routes/score-routes.ts';
import { scores } from './runtime/compose.ts';
import { endpoint } from './runtime/endpoint.ts';
import { onLambda } from './runtime/on-lambda.ts';

/** Records delivery outcomes of scores. It ignores ids that do not belong to the project. */
export const ackScores = endpoint(routes.ackScores, async ({ input, settings, service }) => ({
  ok: true as const,
  updated: await scores(service).acknowledge(settings.project.id, input.results),
}));

export const handler = onLambda(ackScores);
