import { createEventBus } from '../shared/data/events/event-outlet.ts';
import { ENVIRONMENT, EVENT_ENVIRONMENT } from '../shared/settings/environment.ts';
import { readWatching } from '../shared/settings/metrics.ts';
import { createEventSender } from './events/send-queued.ts';
import { createLogger } from './runtime/logger.ts';
import { type Environment, required, underLambda } from './runtime/service-config.ts';

const readSettings = (environment: Environment) => ({
  busName: required(environment, EVENT_ENVIRONMENT.busName),
  metricsNamespace: environment[ENVIRONMENT.metricsNamespace],
  watching: readWatching(environment[ENVIRONMENT.watching]),
});

export const handler = underLambda(readSettings, ({ busName, ...metrics }) =>
  createEventSender({
    bus: createEventBus(busName),
    clock: Date.now,
    log: createLogger(undefined, metrics),
  }),
);
