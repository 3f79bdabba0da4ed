import { createEventBus } from '../shared/data/aws/event-bus.ts';
import { EVENT_ENVIRONMENT } from '../shared/settings/environment.ts';
import { createEventSender } from './events/send-queued.ts';
import { createLogger } from './runtime/logger.ts';
import { underLambda } from './runtime/on-lambda.ts';
import { type Environment, required } from './runtime/service-settings.ts';

const readBusName = (environment: Environment) => required(environment, EVENT_ENVIRONMENT.busName);

/** Sends events that wait in the queue to the bus, until it has taken them. */
export const handler = underLambda(readBusName, (busName) =>
  createEventSender({ bus: createEventBus(busName), log: createLogger() }),
);
