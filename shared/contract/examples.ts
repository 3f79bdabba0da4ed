/** Examples of the OpenAPI document; a test validates each against its schema. */

import { type ErrorCode, MESSAGE_OF, type Refusal } from './errors.ts';

const SHOW_TOKEN = 'AgAAAAEBnJ9fYkCvP0mYc2lOq3hVxw';
const SURVEY_ID = 'sv_5f2c9a7be01d4c63';
const AT = '2026-11-20T09:30:00.000Z';

export const survey = {
  id: SURVEY_ID,
  slug: 'checkout-csat',
  type: 'csat',
  question: 'How satisfied are you with the checkout?',
  followUpQuestion: 'What could be better?',
  presentation: 'corner',
  corner: 'bottom-right',
  trigger: 'auto',
  delayMs: 2_000,
  endLabels: { low: 'Not at all', high: 'Very' },
  scale: { min: 1, max: 5 },
};

export const recorded = { ok: true, id: 'AZyfX2JArz9JmHNpTqt4VQ7Jc1lKqM0dYw3oTnLbE2g', at: AT };

export const bootstrap = {
  input: { key: 'svc_pk_EXAMPLE', userId: 'user-42', traits: { plan: 'team', seats: 12 } },
  reply: { surveys: [survey], suppression: ['sv_0a1b2c3d4e5f6071'], showTokens: { [SURVEY_ID]: SHOW_TOKEN } },
};

export const submitResponse = {
  input: {
    key: 'svc_pk_EXAMPLE',
    showToken: SHOW_TOKEN,
    surveyId: SURVEY_ID,
    rating: 4,
    text: 'Paying by invoice took a while to find.',
    followUpRequested: false,
    userId: 'user-42',
    identityKind: 'identified',
  },
  reply: recorded,
};

export const submitDismissal = {
  input: { key: 'svc_pk_EXAMPLE', showToken: SHOW_TOKEN, surveyId: SURVEY_ID, userId: 'user-42' },
  reply: recorded,
};

export const submitImpression = {
  input: { key: 'svc_pk_EXAMPLE', showToken: SHOW_TOKEN, surveyId: SURVEY_ID },
  reply: { ok: true, at: AT },
};

export const reviseResponse = {
  input: { key: 'svc_pk_EXAMPLE', showToken: SHOW_TOKEN, surveyId: SURVEY_ID, revision: 1, rating: 5 },
  reply: { ...recorded, revision: 1 },
};

export const mintTokens = {
  input: {
    respondentId: 'user-42',
    sessionId: 'session-8c1f',
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    observationId: '00f067aa0ba902b7',
    taskType: 'refund',
  },
  reply: {
    tokens: { [SURVEY_ID]: SHOW_TOKEN },
    bindings: {
      [survey.slug]: {
        surveyId: SURVEY_ID,
        slug: survey.slug,
        showToken: SHOW_TOKEN,
        sessionId: 'session-8c1f',
        traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
        observationId: '00f067aa0ba902b7',
        taskType: 'refund',
      },
    },
    suppression: [],
    issuedAt: AT,
  },
};

const LINK_TOKEN = 'AwAAAAEBnJ9fYkCvP0mYc2lOq3hVxw';

export const deferredAskLink = {
  input: {
    respondentId: 'user-42',
    surveySlug: survey.slug,
    sessionId: 'session-8c1f',
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    expiresIn: '14d',
  },
  reply: {
    ok: true,
    url: `https://canvass.example.com/l/${LINK_TOKEN}`,
    showToken: LINK_TOKEN,
    issuedAt: AT,
    expiresAt: '2026-12-04T09:30:00.000Z',
    surveyId: SURVEY_ID,
    respondentId: 'user-42',
    sessionId: 'session-8c1f',
  },
};

export const answerLink = {
  input: { rating: '4', text: 'Paying by invoice took a while to find.' },
};

const REFUSED_WITH: Partial<Record<ErrorCode, Omit<Refusal, 'refused'>>> = {
  invalid_request: {
    issues: [{ path: 'surveyId', message: 'is required' }],
  },
  token_used: { details: { id: recorded.id, at: AT, kind: 'response' } },
  revision_conflict: { details: { revision: 2 } },
};

/** The body with which a refusal of this code is answered. */
export function refusalExample(code: ErrorCode): object {
  const { issues, details } = REFUSED_WITH[code] ?? {};
  return {
    error: {
      code,
      message: MESSAGE_OF[code],
      requestId: 'f3a1c2d4-5b6e-4f70-8a91-b2c3d4e5f607',
      ...(issues !== undefined && { issues }),
      ...(details !== undefined && { details }),
    },
  };
}

export const listPendingScores = {
  input: { cursor: 'kq3Zc1tY0wX9vB7nR5mJ2gMjAyNi0xMS0yMFQwOTozMDowMC4wMDBaI0Fa' },
  reply: {
    scores: [
      {
        id: recorded.id,
        surveyId: SURVEY_ID,
        surveySlug: survey.slug,
        surveyType: 'csat',
        rating: 4,
        scale: { min: 1, max: 5 },
        text: 'Paying by invoice took a while to find.',
        sessionId: mintTokens.input.sessionId,
        traceId: mintTokens.input.traceId,
        observationId: mintTokens.input.observationId,
        taskType: 'refund',
        respondentId: 'user-42',
        identityKind: 'identified',
        verified: true,
        at: AT,
        state: 'pending',
        attempts: 0,
        lastError: null,
        revision: 0,
        revisedAt: null,
        triedAt: null,
        withdrawn: false,
      },
    ],
  },
};

export const ackScores = {
  input: { results: [{ id: recorded.id, state: 'delivered' }] },
  reply: { ok: true, updated: 1 },
};
