import { randomUUID } from 'node:crypto';
import { SECOND } from '../shared/domain/duration.ts';
import { ENVIRONMENT, PROBE_ENVIRONMENT } from '../shared/settings/environment.ts';
import { readWatching } from '../shared/settings/metrics.ts';
import { createVisitor, UnexpectedReply } from './probe/visitor.ts';
import { createLogger, type Logger } from './runtime/logger.ts';
import { type Environment, required, underLambda } from './runtime/service-config.ts';

interface ProbeDependencies {
  readonly visitor: Pick<ReturnType<typeof createVisitor>, 'bootstrap' | 'respond'>;
  readonly log: Logger;
  readonly clock: () => number;
  readonly respondent: () => string;
}

/** A rating that is valid on every scale. */
const RATING = 1;

export function createProbe({ visitor, log, clock, respondent }: ProbeDependencies): () => Promise<void> {
  return async () => {
    const startedAt = clock();
    const userId = respondent();
    let step = 'bootstrap';
    try {
      const [asked] = Object.entries(await visitor.bootstrap(userId));
      if (asked === undefined) throw new UnexpectedReply('there is no survey to answer');
      const [surveyId, showToken] = asked;
      step = 'submit response';
      await visitor.respond({ surveyId, showToken, rating: RATING });
      log.info({ message: 'probe', ms: clock() - startedAt });
    } catch (error) {
      log.error({ message: 'probe failed', step, ms: clock() - startedAt, error });
      throw error;
    }
  };
}

const TIMEOUT_MS = 12 * SECOND;

const readSettings = (environment: Environment) => ({
  url: required(environment, PROBE_ENVIRONMENT.url),
  key: required(environment, PROBE_ENVIRONMENT.key),
  metricsNamespace: environment[ENVIRONMENT.metricsNamespace],
  watching: readWatching(environment[ENVIRONMENT.watching]),
});

export const handler = underLambda(readSettings, ({ url, key, ...metrics }) =>
  createProbe({
    visitor: createVisitor({ url, key, timeoutMs: TIMEOUT_MS }),
    log: createLogger(undefined, metrics),
    clock: Date.now,
    respondent: () => `probe-${randomUUID()}`,
  }),
);
