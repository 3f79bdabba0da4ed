import type { StandingScore } from '../../sdk/server/contract-types.ts';

/** A pending score with sensible fields. */
export function aScore(overrides: Partial<StandingScore> = {}): StandingScore {
  return {
    id: 'response-1',
    surveyId: 'sv_1',
    surveySlug: 'checkout',
    surveyType: 'csat',
    rating: 4,
    scale: { min: 1, max: 5 },
    text: 'fine',
    sessionId: 's-1',
    traceId: 't-1',
    observationId: 'o-1',
    taskType: 'refund',
    respondentId: 'ann',
    identityKind: 'identified',
    verified: true,
    at: '2026-11-20T09:30:00.000Z',
    state: 'pending',
    attempts: 0,
    lastError: null,
    revision: 0,
    revisedAt: null,
    triedAt: null,
    withdrawn: false,
    ...overrides,
  };
}
