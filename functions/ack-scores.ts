import { routes } from '../shared/contract/routes.ts';
import { endpoint } from './runtime/endpoint.ts';
import { onLambda } from './runtime/on-lambda.ts';

/** Records what became of scores; ids that are not the project's are passed over in silence. */
export const ackScores = endpoint(routes.ackScores, {
  prepare: async () => undefined,

  async handle({ input, settings }, { scores, writeId }) {
    const results = input.results.map(({ error, ...result }) => ({
      ...result,
      ...(typeof error === 'string' && { error }),
    }));
    return { ok: true as const, updated: await scores.acknowledge(settings.project.id, results, writeId()) };
  },
});

export const handler = onLambda(ackScores);
