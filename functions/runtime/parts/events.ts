import {
  createEventBus,
  createEventOutlet,
  createEventQueue,
  type EventOutlet,
} from '../../../shared/data/events/event-outlet.ts';
import { EVENT_ENVIRONMENT } from '../../../shared/settings/environment.ts';
import { part, type Service } from '../compose.ts';
import { requiredSetting } from '../service-config.ts';

export const eventOutlet = /* @__PURE__ */ part(
  ({ config: { events }, overrides }): EventOutlet | undefined => {
    if (events === undefined || overrides.eventOutlet !== undefined) return events && overrides.eventOutlet;
    const queue = createEventQueue(requiredSetting(events.queueUrl, EVENT_ENVIRONMENT.queueUrl));
    return events.busName === undefined
      ? createEventOutlet(queue)
      : createEventOutlet(queue, createEventBus(events.busName));
  },
);

export const eventOptions = ({ config: { events, metricsNamespace, stage } }: Service) => ({
  deployment: metricsNamespace ?? `canvass-${stage}`,
  includeText: events?.includeText === true,
});
