/** docs/contract.md §17. */

import * as resultsExamples from '../examples/results-examples.ts';
import {
  commentsInput,
  commentsReply,
  resultsInput,
  resultsReply,
  surveysInput,
  surveysReply,
} from '../results-schemas.ts';
import type { Route } from '../route.ts';

const RESULTS_THROTTLE = { rate: 100, burst: 200 } as const;

export const getResults = {
  name: 'get-results',
  method: 'GET',
  path: '/v1/results',
  summary: 'Get the results of a survey for a period',
  description:
    'The numbers include imported responses. Responses that a model asked for are counted only in `modelRequested`. Days are in UTC. Numbers are not rounded.',
  key: 'secret',
  typescriptName: 'results',
  repeated: 'reads again',
  scope: 'results',
  readers: true,
  rateLimited: true,
  input: resultsInput,
  query: ['surveySlug', 'surveyId', 'from', 'to', 'by', 'segment', 'value', 'compare', 'against'],
  strictQuery: true,
  success: { status: 200, schema: resultsReply },
  refusals: ['survey_not_found'],
  access: { table: ['Query'], secrets: ['hashSecret'] },
  timeoutSeconds: 10,
  throttle: RESULTS_THROTTLE,
  examples: resultsExamples.getResults,
} as const satisfies Route;

export const listComments = {
  name: 'list-comments',
  method: 'GET',
  path: '/v1/results/comments',
  summary: 'List comments, newest first',
  description:
    'With a filter, a page can have fewer items than `limit`, or none, and still have `nextCursor`. Items contain personal data.',
  key: 'secret',
  typescriptName: 'comments',
  repeated: 'reads again',
  scope: 'comments',
  readers: true,
  rateLimited: true,
  input: commentsInput,
  query: [
    'surveySlug',
    'surveyId',
    'from',
    'to',
    'ratingMin',
    'ratingMax',
    'reason',
    'choice',
    'answers',
    'withText',
    'segment',
    'value',
    'limit',
    'cursor',
  ],
  strictQuery: true,
  success: { status: 200, schema: commentsReply },
  refusals: ['survey_not_found'],
  access: { table: ['Query', 'BatchGetItem'], byProject: ['Query'], secrets: ['hashSecret'] },
  timeoutSeconds: 10,
  throttle: RESULTS_THROTTLE,
  examples: resultsExamples.listComments,
} as const satisfies Route;

export const listSurveys = {
  name: 'list-surveys',
  method: 'GET',
  path: '/v1/surveys',
  summary: 'List all surveys of the project with their number of responses',
  key: 'secret',
  typescriptName: 'surveys',
  repeated: 'reads again',
  scope: 'results',
  readers: true,
  rateLimited: true,
  input: surveysInput,
  query: [],
  strictQuery: true,
  success: { status: 200, schema: surveysReply },
  access: { table: ['Query'], secrets: ['hashSecret'] },
  timeoutSeconds: 10,
  throttle: RESULTS_THROTTLE,
  examples: resultsExamples.listSurveys,
} as const satisfies Route;

export const resultsRoutes = { getResults, listComments, listSurveys };
