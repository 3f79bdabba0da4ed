/** A test validates each against its schema. */

import { tellFields } from '../../domain/answers/answer-fields.ts';
import { answer, recorded, survey } from './sdk-examples.ts';

const distribution = [
  { rating: 1, count: 1 },
  { rating: 2, count: 0 },
  { rating: 3, count: 2 },
  { rating: 4, count: 4 },
  { rating: 5, count: 3 },
];
const score = { metric: 'csat', value: 70, low: 39.23, high: 89.67, confidence: 0.95, mean: 3.8 };
const { id, slug, type, question, scale } = survey;
const described = { id, slug, type, question, scale };

export const getResults = {
  input: { surveySlug: slug, from: '2026-11-01', to: '2026-11-20', by: 'month', compare: 'previous' },
  reply: {
    survey: described,
    from: '2026-11-01',
    to: '2026-11-20',
    completeFrom: '2025-10-20',
    responses: 10,
    imported: 0,
    modelRequested: 0,
    dismissals: 4,
    shows: null,
    responseRate: null,
    comments: 3,
    followUpsRequested: 1,
    reasons: [{ code: 'too-slow', label: 'It took too long', count: 1 }],
    distribution,
    score,
    series: [
      {
        from: '2026-11-01',
        to: '2026-11-20',
        responses: 10,
        dismissals: 4,
        shows: null,
        distribution,
        score,
      },
    ],
    previous: {
      from: '2026-10-12',
      to: '2026-10-31',
      responses: 8,
      score: { metric: 'csat', value: 50, low: 21.52, high: 78.48, confidence: 0.95, mean: 3.25 },
      difference: { value: 20, low: -24.22, high: 57.55 },
    },
  },
};

export const listComments = {
  input: { surveySlug: slug, ratingMax: '4' },
  reply: {
    comments: [
      {
        id: recorded.id,
        ...tellFields('comments', answer),
        choice: null,
        respondentId: 'user-42',
        verified: false,
        sessionId: null,
        traceId: null,
        source: 'sdk',
        at: recorded.at,
      },
    ],
  },
};

export const listSurveys = {
  input: {},
  reply: {
    project: { id: '0123456789abcdef0123', name: 'Fern & Clay', accent: '#00aa77' },
    surveys: [
      {
        ...described,
        status: 'active',
        responses: 10,
        keeps: '13mo',
        completeFrom: '2025-10-20',
        segments: ['identityKind', 'plan'],
        segmentSources: { plan: 'trait' },
        segmentValues: {
          identityKind: ['identified', 'anon-device', 'anon-conversation'],
          plan: ['free', 'team'],
        },
        reasons: [{ code: 'slow', label: 'It was too slow' }],
      },
    ],
  },
};

const [comment] = listComments.reply.comments;

export const listContacts = {
  input: { surveySlug: survey.slug, state: 'open' },
  reply: {
    contacts: [
      {
        ...comment,
        followUpRequested: true,
        survey: { id: survey.id, slug: survey.slug },
        handled: null,
      },
    ],
  },
};

export const handleContact = {
  input: { id: recorded.id, handled: true, note: 'Called, order sent again.' },
  reply: { ok: true, id: recorded.id, handled: true },
};
