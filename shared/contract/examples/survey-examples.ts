/** Examples of the routes of surveys; a test validates each against its schema. */

import { survey as served } from './sdk-examples.ts';

const survey = { slug: 'checkout', type: 'csat', question: 'How was the checkout?' } as const;

export const listDefinitions = {
  input: { limit: '50', log: 'true' },
  reply: {
    role: 'editor',
    comments: true,
    revision: 12,
    order: [survey.slug],
    surveys: [
      {
        ...survey,
        status: 'active',
        presentation: 'corner',
        trigger: 'auto',
        repeat: '90d',
        limits: { quietPeriod: '14d' },
      },
    ],
    source: 'console',
    changedBy: 'ann@example.com',
    changedAt: '2026-11-20T09:30:00.000Z',
    lastChanges: {
      [survey.slug]: {
        id: served.id,
        source: 'console',
        changedBy: 'ann@example.com',
        changedAt: '2026-11-20T09:30:00.000Z',
      },
    },
    log: [
      {
        revision: 12,
        source: 'console',
        changedBy: 'ann@example.com',
        changedAt: '2026-11-20T09:30:00.000Z',
        surveys: [{ slug: survey.slug, action: 'updated', fields: ['question', 'limits.quietPeriod'] }],
        reordered: false,
      },
    ],
  },
};

export const putDefinitions = {
  input: { revision: 12, surveys: [{ ...survey, question: 'How easy was it to pay?' }], dryRun: true },
  reply: {
    revision: 12,
    created: [],
    updated: [survey.slug],
    unchanged: [],
    changes: [
      {
        slug: survey.slug,
        action: 'updated',
        fields: [{ field: 'question', before: 'How was the checkout?', after: 'How easy was it to pay?' }],
      },
    ],
    reordered: false,
  },
};

const week = { from: '2026-11-14', to: '2026-11-20', responses: 0, score: null };

export const getOverview = {
  input: { limit: '50' },
  reply: {
    from: '2026-10-24',
    to: '2026-11-20',
    surveys: [
      {
        id: served.id,
        ...survey,
        status: 'active',
        responses: 0,
        score: null,
        trend: [week],
        allResponses: 0,
        openContacts: 0,
      },
    ],
    openContactsCapped: false,
  },
};

export const createPreview = {
  input: { survey: { ...survey, question: 'How easy was it to pay?', pages: ['/checkout/**'] } },
  reply: {
    preview: 'gHkqY2m0Zr8v1Xc5nS7pA3dE9fG2hJ4kL6mN8bV0cX2zQ5wE7rT9yU1iO3pA5sD7fG9h',
    expiresAt: '2026-11-20T10:30:00.000Z',
  },
};
