/** Which events are about an answer, a person, a survey or a project that is erased or taken back: they lose their words. */

import type { CanvassEvent, EventType } from '../../shared/domain/happening.ts';
import { BoundedMap } from '../../shared/domain/memory.ts';

/** What names that which has ended, by the event that tells it. */
const ENDS: Partial<Record<EventType, 'answerId' | 'respondentId' | 'surveyId' | 'projectId'>> = {
  'Response Withdrawn': 'answerId',
  'Respondent Erased': 'respondentId',
  'Survey Purged': 'surveyId',
  'Account Purged': 'projectId',
};
export const ENDING_TYPES = Object.keys(ENDS);
const FIELDS = Object.values(ENDS);

/** An erasure may overtake answers that were given before: so many of the last ones are remembered for those. */
const MOST_REMEMBERED = 1_000;

const keyOf = ({ detail }: CanvassEvent, field: string): string =>
  JSON.stringify([detail.projectId, field, detail[field]]);

export function createEndings() {
  const ends = new BoundedMap<string, number>(MOST_REMEMBERED);
  return {
    /** @returns the ids of what the event says has ended */
    note(event: CanvassEvent): readonly unknown[] {
      const field = ENDS[event['detail-type']];
      if (field === undefined) return [];
      ends.set(keyOf(event, field), Date.parse(String(event.detail.at)));
      return [event.detail[field]];
    },
    /** The event, without its words where what it is about has ended since. */
    strip(event: CanvassEvent): CanvassEvent {
      const { detail } = event;
      if (!('text' in detail)) return event;
      const at = Date.parse(String(detail.at));
      const hasEnded = FIELDS.some(
        (field) => at <= (ends.get(keyOf(event, field)) ?? Number.NEGATIVE_INFINITY),
      );
      return hasEnded ? { ...event, detail: { ...detail, text: null, traits: null, contact: null } } : event;
    },
  };
}
