/** An outlet that keeps the events of a test, holds each against its JSON Schema, and runs the documented rules on it. */

import type { EventOutlet } from '../../../shared/data/events/event-outlet.ts';
import type { CanvassEvent } from '../../../shared/domain/happening.ts';
import { checkWebhook } from '../openapi-check.ts';
import { checkRules } from './documented-rules.ts';

export interface CollectedEvents {
  readonly events: CanvassEvent[];
  readonly outlet: EventOutlet;
}

export function collectEvents(): CollectedEvents {
  const events: CanvassEvent[] = [];
  return {
    events,
    outlet: {
      async send(sent) {
        for (const event of sent) {
          checkWebhook(event['detail-type'], event);
          checkRules(event);
        }
        events.push(...sent);
      },
    },
  };
}
