/**
 * Applies the rules of docs/events.md to events of every type. The suite's other events are checked against them, too.
 */

import { describe, expect, it } from 'vitest';
import { digestEvent } from '../../functions/digest/project-digest.ts';
import { describeEvent } from '../../functions/stream/describe-event.ts';
import {
  type CanvassEvent,
  EVENT_TYPES,
  type Happening,
  type ResponseFacts,
} from '../../shared/domain/happening.ts';
import { DOCUMENTED_RULES } from '../support/events/documented-rules.ts';
import { matches } from '../support/events/event-pattern.ts';
import { A_DIGEST } from '../support/fixtures/a-digest.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { checkWebhook } from '../support/openapi-check.ts';

const survey = aSurvey();
const base = { at: '2026-11-20T09:30:00.000Z', projectId: 'p' };

const facts = (more: Partial<ResponseFacts> = {}): ResponseFacts => ({
  answerId: 'a',
  answeredAt: '2026-11-20T09:30:00.000Z',
  respondentId: 'ann',
  surveyId: survey.id,
  source: 'sdk',
  rating: 0,
  followUpRequested: true,
  revision: 0,
  ...more,
});

const responses: readonly ResponseFacts[] = [
  facts(),
  facts({ followUpRequested: false }),
  facts({ followUpRequested: undefined }),
  facts({ rating: 10 }),
  facts({ source: 'import' }),
  facts({ rating: undefined, followUpRequested: undefined }),
];

const happenings: readonly Happening[] = [
  ...(['Response Recorded', 'Response Revised', 'Response Withdrawn'] as const).flatMap((type) =>
    responses.map((response, index): Happening => ({ ...base, type, id: `${type}-${index}`, response })),
  ),
  ...responses.map(
    (response, index): Happening => ({
      ...base,
      type: 'Score Failed',
      id: `score-${index}`,
      response,
      attempts: 1,
    }),
  ),
  { ...base, type: 'Dismissal Recorded', id: 'd', surveyId: survey.id, answerId: 'd', respondentId: 'bob' },
  { ...base, type: 'Survey Shown', id: 'shown', surveyId: survey.id },
  { ...base, type: 'Survey Purged', id: 'sp', surveyId: survey.id },
  { ...base, type: 'Account Purged', id: 'ap' },
  {
    ...{ ...base, type: 'Responses Expired', id: 'x', surveyId: survey.id },
    ...{ day: '2026-10-15', responses: 3, dismissals: 1 },
  },
  {
    ...base,
    type: 'Survey Changed',
    id: 'sc',
    change: {
      ...{ by: 'ann@example.com', at: base.at, source: 'console', revision: 3, isReordered: false },
      surveys: [{ slug: 'nps', action: 'updated', fields: ['question'] }],
    },
  },
  { ...base, type: 'Respondent Erased', id: 'e', respondentId: 'ann' },
];

const told = (deployment: string) => [
  ...happenings.map((happening) => describeEvent(happening, survey, { deployment, includeText: false })),
  digestEvent({ digest: A_DIGEST, projectId: 'p', deployment }),
];
const events: readonly CanvassEvent[] = [...told('canvass-test'), ...told('canvass-other')];

describe('the rules of docs/events.md', () => {
  it('are tested with every type of event, as its schema defines it', () => {
    expect(new Set(events.map((event) => event['detail-type']))).toEqual(new Set(EVENT_TYPES));
    for (const event of events) checkWebhook(event['detail-type'], event);
  });

  it.each(DOCUMENTED_RULES)(
    '$name: matches the intended events, and at least one',
    ({ matches: isMatched, isMeant }) => {
      const matched = events.filter(isMatched);
      expect(matched).toEqual(events.filter(isMeant));
      expect(matched.length).toBeGreaterThan(0);
      expect(matched.length).toBeLessThan(events.length / 2);
    },
  );
});

describe('the matcher', () => {
  const event = { source: 'canvass', n: 7, flag: null, list: ['a', 'b'], nested: { deep: 'value' } };

  it.each([
    [{ source: ['canvass', 'other'] }, true],
    [{ source: ['Canvass'] }, false],
    [{ source: [{ prefix: 'can' }] }, true],
    [{ source: [{ suffix: 'can' }] }, false],
    [{ n: [7] }, true],
    [{ n: ['7'] }, false],
    [{ n: [{ numeric: ['>', 5, '<=', 7] }] }, true],
    [{ n: [{ numeric: ['<', 7] }] }, false],
    [{ flag: [null] }, true],
    [{ flag: [{ exists: true }] }, true],
    [{ none: [{ exists: false }] }, true],
    [{ none: ['x'] }, false],
    [{ none: [{ 'anything-but': 'x' }] }, false],
    [{ list: ['b'] }, true],
    [{ nested: { deep: [{ 'anything-but': ['other'] }] } }, true],
    [{ nested: { none: ['value'] } }, false],
    [{ source: ['canvass'], n: [8] }, false],
    [{ $or: [{ n: [8] }, { source: ['canvass'] }] }, true],
  ])('%j: %s', (pattern, expected) => {
    expect(matches(pattern, event)).toBe(expected);
  });

  it('reports an unknown operator', () => {
    expect(() => matches({ source: [{ wildcard: '*' }] }, event)).toThrow('wildcard');
    expect(() => matches({ source: 'canvass' }, event)).toThrow('leaf');
  });
});
