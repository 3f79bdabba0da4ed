/** A test validates each against its schema. */

const SHOW_TOKEN = 'AgAAAAEBnJ9fYkCvP0mYc2lOq3hVxw';
const SURVEY_ID = 'sv_5f2c9a7be01d4c63';
const SLUG = 'checkout-csat';
const AT = '2026-11-20T09:30:00.000Z';

export const survey = {
  id: SURVEY_ID,
  slug: SLUG,
  type: 'csat',
  question: 'How satisfied are you with the checkout?',
  followUpQuestion: 'What could be better?',
  reasons: [
    { code: 'too-slow', label: 'It took too long' },
    { code: 'payment', label: 'My way of paying was missing' },
  ],
  presentation: 'corner',
  corner: 'bottom-right',
  trigger: 'auto',
  delayMs: 2_000,
  pages: ['/checkout/**'],
  endLabels: { low: 'Not at all', high: 'Very' },
  scale: { min: 1, max: 5 },
};

export const recorded = { ok: true, id: 'AZyfX2JArz9JmHNpTqt4VQ7Jc1lKqM0dYw3oTnLbE2g', at: AT };

export const bootstrap = {
  input: {
    key: 'svc_pk_EXAMPLE',
    userId: 'user-42',
    traits: { plan: 'team', seats: 12 },
    types: 'thumbs,pages,events,by-rating,choice,open',
  },
  reply: { surveys: [survey], suppression: ['sv_0a1b2c3d4e5f6071'], showTokens: { [SURVEY_ID]: SHOW_TOKEN } },
};

const said = {
  rating: 4,
  text: 'Paying by invoice took a while to find.',
  followUpRequested: false,
  identityKind: 'identified',
};
export const answer = { ...said, traits: { plan: 'team', seats: 12 } };

export const submitResponse = {
  input: {
    key: 'svc_pk_EXAMPLE',
    showToken: SHOW_TOKEN,
    surveyId: SURVEY_ID,
    ...said,
    userId: 'user-42',
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
  input: {
    key: 'svc_pk_EXAMPLE',
    showToken: SHOW_TOKEN,
    surveyId: SURVEY_ID,
    revision: 1,
    rating: 2,
    reasons: ['payment'],
  },
  reply: { ...recorded, revision: 1 },
};

export const mintTokens = {
  input: {
    respondentId: 'user-42',
    sessionId: 'session-8c1f',
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    observationId: '00f067aa0ba902b7',
    taskType: 'refund',
    labels: { model: 'large-2', prompt: 'refund-v7' },
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
    none: { 'after-checkout': 'quiet_period' },
  },
};

export const deferredAskLink = {
  input: {
    respondentId: 'user-42',
    surveySlug: SLUG,
    sessionId: 'session-8c1f',
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    expiresIn: '14d',
  },
  reply: {
    ok: true,
    url: 'https://canvass.example.com/l/AwAAAAEBnJ9fYkCvP0mYc2lOq3hVxw',
    showToken: 'AwAAAAEBnJ9fYkCvP0mYc2lOq3hVxw',
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
