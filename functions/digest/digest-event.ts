/** See docs/contract.md §18.3. */

import type * as z from 'zod/mini';
import type { surveyDigestDetail } from '../../shared/contract/event-schemas.ts';
import { addDays } from '../../shared/domain/days.ts';
import { type CanvassEvent, EVENT_SOURCE } from '../../shared/domain/happening.ts';
import type { Digest } from './project-digest.ts';

interface Told {
  readonly digest: Digest;
  readonly projectId: string;
  readonly deployment: string;
}

/** The id and time derive from the project and week, so a repeated event is identical. */
export function digestEvent({ digest, projectId, deployment }: Told): CanvassEvent {
  const detail: z.output<ReturnType<typeof surveyDigestDetail>> = {
    version: 1,
    id: `${projectId}-digest-${digest.week}`,
    at: `${addDays(digest.to, 1)}T00:00:00.000Z`,
    deployment,
    projectId,
    ...digest,
  };
  return { source: EVENT_SOURCE, 'detail-type': 'Survey Digest', detail };
}
