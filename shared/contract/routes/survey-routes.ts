/** docs/contract.md §21. */

import {
  createPreviewInput,
  createPreviewReply,
  definitionsInput,
  definitionsReply,
  putDefinitionsInput,
  putDefinitionsReply,
  readCreatePreview,
  readPutDefinitions,
} from '../definition-schemas.ts';
import { survey as served } from '../examples/sdk-examples.ts';
import { overviewInput, overviewReply } from '../overview-schemas.ts';
import type { Route } from '../route.ts';

const survey = { slug: 'checkout', type: 'csat', question: 'How was the checkout?' } as const;

const week = { from: '2026-11-14', to: '2026-11-20', responses: 0, score: null };

const READ_THROTTLE = { rate: 100, burst: 200 } as const;
/** Each change is a transaction, and afterwards all functions reload the project. */
const WRITE_THROTTLE = { rate: 20, burst: 50 } as const;

const listDefinitionsExamples = {
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

export const listDefinitions = {
  name: 'list-definitions',
  method: 'GET',
  path: '/v1/surveys/definitions',
  summary: 'List the surveys of the project in the format of a survey file',
  description:
    'All pages show one revision. If the surveys change between two pages, the next page is refused with 409 `surveys_changed`.',
  key: 'secret',
  readers: true,
  typescriptName: 'surveyDefinitions',
  repeated: 'reads again',
  scope: 'results',
  rateLimited: true,
  input: definitionsInput,
  query: ['limit', 'cursor', 'log'],
  strictQuery: true,
  success: { status: 200, schema: definitionsReply },
  refusals: ['surveys_changed'],
  access: { table: ['GetItem', 'Query', 'BatchGetItem'], secrets: ['hashSecret'] },
  timeoutSeconds: 10,
  throttle: READ_THROTTLE,
  examples: listDefinitionsExamples,
} as const satisfies Route;

const putDefinitionsExamples = {
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

export const putDefinitions = {
  name: 'put-definitions',
  method: 'PUT',
  path: '/v1/surveys/definitions',
  summary: 'Create and change surveys in one transaction',
  description:
    'The change is stored completely or not at all. Surveys that are not named are not changed. If the project is at another revision than `revision`, the request is refused with 409 `surveys_changed`, unless all surveys are already as requested.',
  key: 'secret',
  editors: true,
  typescriptName: 'putSurveyDefinitions',
  repeated: 'changes nothing more, or is refused if someone else changed the surveys in between',
  scope: 'surveys',
  rateLimited: true,
  readInput: readPutDefinitions,
  input: putDefinitionsInput,
  body: true,
  success: { status: 200, schema: putDefinitionsReply },
  refusals: ['surveys_changed'],
  access: { table: ['GetItem', 'Query', 'PutItem', 'UpdateItem'], secrets: ['hashSecret'] },
  timeoutSeconds: 10,
  throttle: WRITE_THROTTLE,
  examples: putDefinitionsExamples,
} as const satisfies Route;

const getOverviewExamples = {
  input: { limit: '50' },
  reply: {
    from: '2026-10-24',
    to: '2026-11-20',
    surveys: [
      {
        id: served.id,
        ...survey,
        status: 'active',
        scale: { min: 1, max: 5 },
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

export const getOverview = {
  name: 'get-overview',
  method: 'GET',
  path: '/v1/overview',
  summary: 'List each survey with its status, score, trend, responses and open contact requests',
  description:
    'Covers the last 28 days. If many answers were counted, a page can have fewer surveys than `limit` and still have `nextCursor`.',
  key: 'secret',
  readers: true,
  typescriptName: 'overview',
  repeated: 'reads again',
  scope: 'results',
  rateLimited: true,
  input: overviewInput,
  query: ['limit', 'cursor'],
  strictQuery: true,
  success: { status: 200, schema: overviewReply },
  access: { table: ['Query'], byContact: ['Query'], secrets: ['hashSecret'] },
  timeoutSeconds: 10,
  throttle: READ_THROTTLE,
  examples: getOverviewExamples,
} as const satisfies Route;

const createPreviewExamples = {
  input: { survey: { ...survey, question: 'How easy was it to pay?', pages: ['/checkout/**'] } },
  reply: {
    preview: 'gHkqY2m0Zr8v1Xc5nS7pA3dE9fG2hJ4kL6mN8bV0cX2zQ5wE7rT9yU1iO3pA5sD7fG9h',
    expiresAt: '2026-11-20T10:30:00.000Z',
  },
};

export const createPreview = {
  name: 'create-preview',
  method: 'POST',
  path: '/v1/surveys/previews',
  summary: 'Create a preview token for a survey, valid for an hour',
  description:
    'The survey has the format of a survey file. It is stored separately from all others, and nobody can answer it. Add the token to the URL of a page that has the client (`?canvass-preview=…`). Bootstrap then returns only that draft.',
  key: 'secret',
  editors: true,
  typescriptName: 'previewSurvey',
  repeated: 'creates another preview',
  scope: 'surveys',
  rateLimited: true,
  readInput: readCreatePreview,
  input: createPreviewInput,
  body: true,
  success: { status: 201, schema: createPreviewReply },
  access: { table: ['Query', 'PutItem'], secrets: ['hashSecret'] },
  timeoutSeconds: 10,
  throttle: WRITE_THROTTLE,
  examples: createPreviewExamples,
} as const satisfies Route;

export const surveyRoutes = { listDefinitions, putDefinitions, getOverview, createPreview };
