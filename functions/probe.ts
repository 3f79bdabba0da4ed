import { randomUUID } from 'node:crypto';
import { SECOND } from '../shared/domain/duration.ts';
import { ENVIRONMENT, PROBE_ENVIRONMENT } from '../shared/settings/environment.ts';
import { readWatching } from '../shared/settings/metrics.ts';
import { createProbe } from './probe/ask-and-answer.ts';
import { createVisitor } from './probe/visitor.ts';
import { createLogger } from './runtime/logger.ts';
import { type Environment, required, underLambda } from './runtime/service-config.ts';

const TIMEOUT_MS = 12 * SECOND;

const readSettings = (environment: Environment) => ({
  url: required(environment, PROBE_ENVIRONMENT.url),
  key: required(environment, PROBE_ENVIRONMENT.key),
  metricsNamespace: environment[ENVIRONMENT.metricsNamespace],
  watching: readWatching(environment[ENVIRONMENT.watching]),
});

/** Synthetic monitor. */
export const handler = underLambda(readSettings, ({ url, key, ...metrics }) =>
  createProbe({
    visitor: createVisitor({ url, key, timeoutMs: TIMEOUT_MS }),
    log: createLogger(undefined, metrics),
    clock: Date.now,
    respondent: () => `probe-${randomUUID()}`,
  }),
);
