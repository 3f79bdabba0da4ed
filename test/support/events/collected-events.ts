/** An outlet that keeps the events of a test, and holds each against its JSON Schema in the OpenAPI document. */

import type { EventOutlet } from '../../../shared/data/events/event-outlet.ts';
import type { CanvassEvent } from '../../../shared/domain/happening.ts';
import { checkWebhook } from '../openapi-check.ts';

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
        for (const event of sent) checkWebhook(event['detail-type'], event);
        events.push(...sent);
      },
    },
  };
}
