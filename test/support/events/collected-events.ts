import { type CanvassEvent, deliverable } from '../../../shared/domain/happening.ts';
import { checkWebhook } from '../openapi-check.ts';
import { checkRules } from './documented-rules.ts';

/** @param isCurrent whether events must match the schema and rules of this version */
export function collectEvents(isCurrent = true) {
  const events: CanvassEvent[] = [];
  return {
    events,
    outlet: {
      async send(sent: readonly CanvassEvent[]) {
        for (const event of isCurrent ? sent : []) {
          checkWebhook(event['detail-type'], deliverable(event, 0));
          checkRules(event);
        }
        events.push(...sent);
      },
    },
  };
}
