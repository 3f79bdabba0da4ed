/** An outlet that keeps the events of a test, holds each against its JSON Schema, and runs the documented rules on it. */

import type { EventOutlet } from '../../../shared/data/events/event-outlet.ts';
import type { CanvassEvent } from '../../../shared/domain/happening.ts';
import { checkWebhook } from '../openapi-check.ts';
import { checkRules } from './documented-rules.ts';

export interface CollectedEvents {
  readonly events: CanvassEvent[];
  readonly outlet: EventOutlet;
}

/** @param isCurrent whether they are of this version, whose document and rules they have to fit */
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
