/** Collects a test's events, and checks each against its JSON Schema and the documented rules. */

import type { EventOutlet } from '../../../shared/data/events/event-outlet.ts';
import type { CanvassEvent } from '../../../shared/domain/happening.ts';
import { checkWebhook } from '../openapi-check.ts';
import { checkRules } from './documented-rules.ts';

export interface CollectedEvents {
  readonly events: CanvassEvent[];
  readonly outlet: EventOutlet;
}

/** @param isCurrent whether this version sends them, so that they must match its schema and rules */
export function collectEvents(isCurrent = true): CollectedEvents {
  const events: CanvassEvent[] = [];
  return {
    events,
    outlet: {
      async send(sent) {
        for (const event of isCurrent ? sent : []) {
          checkWebhook(event['detail-type'], event);
          checkRules(event);
        }
        events.push(...sent);
      },
    },
  };
}
