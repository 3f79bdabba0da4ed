/**
 * The route table: each route once. Gateway, functions and grants, validation, CORS, `openapi.yaml` and the typed SDK
 * all come from here. A new endpoint is one entry, one handler file, one test.
 */

import * as examples from './examples.ts';
import { linkForm, linkInput, linkReply } from './link-schemas.ts';
import * as privacyExamples from './privacy-examples.ts';
import { eraseInput, eraseReply, exportInput, exportReply } from './privacy-schemas.ts';
import * as resultsExamples from './results-examples.ts';
import {
  commentsInput,
  commentsReply,
  resultsInput,
  resultsReply,
  surveysInput,
  surveysReply,
} from './results-schemas.ts';
import type { Route } from './route.ts';
import {
  ackInput,
  ackReply,
  bootstrapInput,
  bootstrapReply,
  dismissalInput,
  impressionInput,
  impressionReply,
  mintInput,
  mintReply,
  pendingScoresInput,
  pendingScoresReply,
  recordedReply,
  responseInput,
  revisionInput,
  revisionReply,
} from './schemas.ts';

const TOKEN_REFUSALS = ['survey_not_found', 'invalid_token', 'token_expired', 'token_mismatch'] as const;

/** In front of every route; the service's own limits are per key and per address. */
const THROTTLE = { rate: 2_000, burst: 4_000 } as const;

/** Exports and erasures are rare and heavy; the service itself never answers them 429 (docs/contract.md §12). */
const PRIVACY_THROTTLE = { rate: 50, burst: 100 } as const;

/** People and their pages ask for results, a few at a time. */
const RESULTS_THROTTLE = { rate: 100, burst: 200 } as const;

const bootstrap = {
  name: 'bootstrap',
  method: 'POST',
  path: '/v1/sdk/bootstrap',
  aliases: [{ method: 'GET', path: '/v1/definitions' }],
  summary: 'Active surveys, the suppression set, and show-tokens for the surveys this respondent may see now',
  description:
    'A survey without an entry in `showTokens` is gated for this respondent. Without a `userId` there are no tokens; where the project requires identity, without a valid `userToken`.',
  key: 'publishable',
  rateLimited: true,
  get input() {
    return bootstrapInput();
  },
  query: ['key', 'userId'],
  body: true,
  success: {
    status: 200,
    get schema() {
      return bootstrapReply();
    },
  },
  refusals: ['invalid_identity'],
  access: { table: ['Query'], secrets: ['hashSecret', 'tokenRing'] },
  timeoutSeconds: 10,
  throttle: THROTTLE,
  examples: examples.bootstrap,
} as const satisfies Route;

const submitResponse = {
  name: 'submit-response',
  method: 'POST',
  path: '/v1/sdk/responses',
  aliases: [{ method: 'POST', path: '/v1/responses' }],
  summary: 'Submit a rating with its show-token',
  description:
    'A valid unused token is always accepted; caps are never enforced here. A refusal never uses the token up.',
  key: 'publishable',
  rateLimited: true,
  get input() {
    return responseInput();
  },
  query: ['key', 'userId'],
  body: true,
  success: {
    status: 201,
    get schema() {
      return recordedReply();
    },
  },
  refusals: [...TOKEN_REFUSALS, 'rating_out_of_range', 'token_used'],
  access: { table: ['Query', 'PutItem'], secrets: ['hashSecret', 'tokenRing'] },
  timeoutSeconds: 10,
  throttle: THROTTLE,
  examples: examples.submitResponse,
} as const satisfies Route;

const submitDismissal = {
  name: 'submit-dismissal',
  method: 'POST',
  path: '/v1/dismissals',
  summary: 'Record that a survey was dismissed, with its show-token',
  description: 'Token rules are those of a response; a used token is answered 401 here.',
  key: 'publishable',
  rateLimited: true,
  get input() {
    return dismissalInput();
  },
  query: ['key', 'userId'],
  body: true,
  success: {
    status: 201,
    get schema() {
      return recordedReply();
    },
  },
  refusals: [...TOKEN_REFUSALS, 'token_used'],
  statusOf: { token_used: 401 },
  access: { table: ['Query', 'PutItem'], secrets: ['hashSecret', 'tokenRing'] },
  timeoutSeconds: 10,
  throttle: THROTTLE,
  examples: examples.submitDismissal,
} as const satisfies Route;

const submitImpression = {
  name: 'submit-impression',
  method: 'POST',
  path: '/v1/impressions',
  summary: 'Report that a survey was on screen, with its show-token',
  description:
    'The token stays good; whether it was used is not looked up, and the same report again changes nothing. Nothing is recorded where the project switched impressions off.',
  key: 'publishable',
  rateLimited: true,
  ownRate: { bucket: 'SHOWS', part: 0.5 },
  get input() {
    return impressionInput();
  },
  query: ['key'],
  body: true,
  success: {
    status: 201,
    get schema() {
      return impressionReply();
    },
  },
  refusals: TOKEN_REFUSALS,
  access: { table: ['Query', 'UpdateItem'], secrets: ['hashSecret', 'tokenRing'] },
  timeoutSeconds: 10,
  throttle: THROTTLE,
  examples: examples.submitImpression,
} as const satisfies Route;

const reviseResponse = {
  name: 'revise-response',
  method: 'POST',
  path: '/v1/sdk/revisions',
  summary: 'Change a rating, or take it back, with the show-token that stored it',
  description:
    'Replaces rating, text, follow-up and contact; what is left out is cleared. The same revision with the same content again is 200. `withdraw` keeps the token used and the survey suppressed.',
  key: 'publishable',
  rateLimited: true,
  get input() {
    return revisionInput();
  },
  query: ['key', 'userId'],
  body: true,
  success: {
    status: 200,
    get schema() {
      return revisionReply();
    },
  },
  refusals: [
    ...TOKEN_REFUSALS,
    'rating_out_of_range',
    'response_not_found',
    'token_used',
    'revision_conflict',
  ],
  access: { table: ['Query', 'UpdateItem'], secrets: ['hashSecret', 'tokenRing'] },
  timeoutSeconds: 10,
  throttle: THROTTLE,
  examples: examples.reviseResponse,
} as const satisfies Route;

const mintTokens = {
  name: 'mint-tokens',
  method: 'POST',
  path: '/v1/sdk/tokens',
  summary: 'Mint session-bound show-tokens, from a server',
  description:
    'Empty `tokens` means that the respondent is gated; that is not an error. Never call this from a browser.',
  key: 'secret',
  scope: 'mint',
  rateLimited: true,
  get input() {
    return mintInput();
  },
  body: true,
  success: {
    status: 200,
    get schema() {
      return mintReply();
    },
  },
  access: { table: ['Query'], secrets: ['hashSecret', 'tokenRing'] },
  timeoutSeconds: 10,
  throttle: THROTTLE,
  examples: examples.mintTokens,
} as const satisfies Route;

const deferredAskLink = {
  name: 'deferred-ask-link',
  method: 'POST',
  path: '/v1/sdk/deferred-ask-link',
  summary: 'A link on which a respondent answers later, from a server',
  description:
    '`{ok: false, reason}` means that the respondent may not be asked; that is not an error. The link is a page with a form; `showToken` may be submitted as well, without session values, which it carries itself.',
  key: 'secret',
  scope: 'mint',
  rateLimited: true,
  get input() {
    return linkInput();
  },
  body: true,
  success: {
    status: 200,
    get schema() {
      return linkReply();
    },
  },
  refusals: ['survey_not_found'],
  access: { table: ['Query'], secrets: ['hashSecret', 'tokenRing'] },
  timeoutSeconds: 10,
  throttle: THROTTLE,
  examples: examples.deferredAskLink,
} as const satisfies Route;

/** Statuses for people: a browser makes something else of 401. */
const LINK_STATUSES = { invalid_token: 404, token_expired: 410 } as const;

const showLink = {
  name: 'show-link',
  method: 'GET',
  path: '/l/{token}',
  aliases: [{ method: 'HEAD', path: '/l/{token}' }],
  summary: 'The page behind a link: the survey as a form, without a script',
  description: '`rating` is chosen when the page opens. Nothing is written, however often it is fetched.',
  page: true,
  rateLimited: true,
  query: ['rating', 'lang'],
  success: { status: 200, mediaType: 'text/html' },
  refusals: ['survey_not_found', 'invalid_token', 'token_expired', 'token_used'],
  statusOf: LINK_STATUSES,
  access: { table: ['Query'], secrets: ['hashSecret', 'tokenRing'] },
  timeoutSeconds: 10,
  throttle: THROTTLE,
} as const satisfies Route;

const answerLink = {
  name: 'answer-link',
  method: 'POST',
  path: '/l/{token}',
  summary: 'The answer from the page behind a link',
  description: 'A form as browsers post it. The reply is a page, of thanks or of what is in the way.',
  page: true,
  rateLimited: true,
  get input() {
    return linkForm();
  },
  query: ['lang'],
  success: { status: 200, mediaType: 'text/html' },
  refusals: ['survey_not_found', 'invalid_token', 'token_expired', 'rating_out_of_range', 'token_used'],
  statusOf: LINK_STATUSES,
  access: { table: ['Query', 'PutItem'], secrets: ['hashSecret', 'tokenRing'] },
  timeoutSeconds: 10,
  throttle: THROTTLE,
  examples: examples.answerLink,
} as const satisfies Route;

const listPendingScores = {
  name: 'list-pending-scores',
  method: 'GET',
  path: '/v1/sdk/pending-scores',
  summary: 'Linked responses whose scores wait for delivery, oldest first',
  description:
    'Every page but the last is full. A cursor belongs to one sweep: acking while paging neither skips nor repeats; a new sweep starts without one. Items carry personal data.',
  key: 'secret',
  scope: 'scores',
  rateLimited: true,
  get input() {
    return pendingScoresInput();
  },
  query: ['limit', 'includeFailed', 'includeWithdrawn', 'cursor'],
  success: {
    status: 200,
    get schema() {
      return pendingScoresReply();
    },
  },
  access: { table: ['Query', 'BatchGetItem'], byScoreState: ['Query'], secrets: ['hashSecret'] },
  timeoutSeconds: 10,
  throttle: THROTTLE,
  examples: examples.listPendingScores,
} as const satisfies Route;

const ackScores = {
  name: 'ack-scores',
  method: 'POST',
  path: '/v1/sdk/pending-scores/ack',
  summary: 'Report per score whether it was delivered',
  description:
    'Ids that are unknown or of another project are ignored without error. `delivered` is final for the revision that was pushed; an ack of an older one leaves the newer pending. The same id twice: the last one wins.',
  key: 'secret',
  scope: 'scores',
  rateLimited: true,
  get input() {
    return ackInput();
  },
  body: true,
  success: {
    status: 200,
    get schema() {
      return ackReply();
    },
  },
  access: { table: ['Query', 'UpdateItem'], secrets: ['hashSecret'] },
  timeoutSeconds: 10,
  throttle: THROTTLE,
  examples: examples.ackScores,
} as const satisfies Route;

const exportResponses = {
  name: 'export-responses',
  method: 'GET',
  path: '/v1/privacy/export',
  summary: 'Export responses and dismissals: of one person, of one survey, or of the whole project',
  description:
    'Filters combine: `respondentId` and `email` are one person, `surveySlug`, `from` and `to` narrow. A parameter that is not listed here is refused. Without `limit` and `cursor` the whole result comes in one reply, gzip-encoded when accepted; one that cannot fit is `export_too_large`. A page may hold fewer rows than `limit`, even none; the last one has no `nextCursor`.',
  key: 'secret',
  scope: 'privacy',
  get input() {
    return exportInput();
  },
  query: ['respondentId', 'email', 'surveySlug', 'from', 'to', 'limit', 'cursor'],
  strictQuery: true,
  success: {
    status: 200,
    get schema() {
      return exportReply();
    },
  },
  refusals: ['survey_not_found', 'respondent_not_found', 'export_too_large'],
  access: { table: ['Query', 'BatchGetItem'], byProject: ['Query'], secrets: ['hashSecret'] },
  timeoutSeconds: 30,
  throttle: PRIVACY_THROTTLE,
  examples: privacyExamples.exportResponses,
} as const satisfies Route;

const erase = {
  name: 'erase',
  method: 'DELETE',
  path: '/v1/privacy/erase',
  summary: 'Erase a respondent, a survey or the whole account',
  description:
    'Exactly one mode: `respondentId` and/or `email`, `surveySlug` alone, or `account=true`. Anything else, a parameter that is not listed here too, is `ambiguous_erase` and erases nothing. A survey or account purge goes on after the reply. With `account` the key must have the scope `account`.',
  key: 'secret',
  scope: 'privacy',
  scopeWith: { account: 'account' },
  get input() {
    return eraseInput();
  },
  query: ['respondentId', 'email', 'surveySlug', 'account'],
  success: {
    status: 200,
    get schema() {
      return eraseReply();
    },
  },
  refusals: ['ambiguous_erase', 'survey_not_found', 'respondent_not_found'],
  access: {
    table: ['Query', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
    byProject: ['Query'],
    erasureLog: ['PutItem'],
    secrets: ['hashSecret'],
    startsPurge: true,
    queuesEvents: true,
  },
  timeoutSeconds: 30,
  throttle: PRIVACY_THROTTLE,
  examples: privacyExamples.erase,
} as const satisfies Route;

const getResults = {
  name: 'get-results',
  method: 'GET',
  path: '/v1/results',
  summary: 'What was answered to a survey: numbers over a span of days',
  description:
    'Model-requested responses stand beside the headline, never in it; imported ones are in it. Days are UTC. Numbers are not rounded.',
  key: 'secret',
  scope: 'results',
  readers: true,
  rateLimited: true,
  get input() {
    return resultsInput();
  },
  query: ['surveySlug', 'surveyId', 'from', 'to', 'by', 'segment'],
  strictQuery: true,
  success: {
    status: 200,
    get schema() {
      return resultsReply();
    },
  },
  refusals: ['survey_not_found'],
  access: { table: ['Query'], secrets: ['hashSecret'] },
  timeoutSeconds: 10,
  throttle: RESULTS_THROTTLE,
  examples: resultsExamples.getResults,
} as const satisfies Route;

const listComments = {
  name: 'list-comments',
  method: 'GET',
  path: '/v1/results/comments',
  summary: 'What people wrote, newest first',
  description:
    'A page looks at 500 responses at most: with a filter it may hold fewer than `limit`, even none, and still have `nextCursor`. Items carry personal data.',
  key: 'secret',
  scope: 'comments',
  readers: true,
  rateLimited: true,
  get input() {
    return commentsInput();
  },
  query: ['surveySlug', 'surveyId', 'from', 'to', 'ratingMin', 'ratingMax', 'withText', 'limit', 'cursor'],
  strictQuery: true,
  success: {
    status: 200,
    get schema() {
      return commentsReply();
    },
  },
  refusals: ['survey_not_found'],
  access: { table: ['Query', 'BatchGetItem'], byProject: ['Query'], secrets: ['hashSecret'] },
  timeoutSeconds: 10,
  throttle: RESULTS_THROTTLE,
  examples: resultsExamples.listComments,
} as const satisfies Route;

const listSurveys = {
  name: 'list-surveys',
  method: 'GET',
  path: '/v1/surveys',
  summary: 'The surveys of the project, with how many responses each has',
  key: 'secret',
  scope: 'results',
  readers: true,
  rateLimited: true,
  get input() {
    return surveysInput();
  },
  query: [],
  strictQuery: true,
  success: {
    status: 200,
    get schema() {
      return surveysReply();
    },
  },
  access: { table: ['Query'], secrets: ['hashSecret'] },
  timeoutSeconds: 10,
  throttle: RESULTS_THROTTLE,
  examples: resultsExamples.listSurveys,
} as const satisfies Route;

const serveOpenapi = {
  name: 'serve-openapi',
  method: 'GET',
  path: '/openapi.yaml',
  summary: 'This document',
  success: { status: 200, mediaType: 'application/yaml' },
  access: {},
  timeoutSeconds: 10,
  throttle: { rate: 20, burst: 40 },
} as const satisfies Route;

const serveResultsPage = {
  name: 'serve-results-page',
  method: 'GET',
  path: '/results',
  summary: 'The page of results; it asks for a reader key',
  success: { status: 200, mediaType: 'text/html' },
  access: {},
  timeoutSeconds: 10,
  throttle: { rate: 20, burst: 40 },
} as const satisfies Route;

/** Where every method and path goes that no route names; not part of the contract, so it is not in `ROUTES`. */
export const unknownPathRoute = {
  name: 'unknown-path',
  method: 'GET',
  path: '$default',
  summary: 'No such path',
  success: { status: 200 },
  refusals: ['not_found'],
  access: {},
  timeoutSeconds: 10,
  throttle: { rate: 100, burst: 200 },
} as const satisfies Route;

export const routes = {
  bootstrap,
  submitResponse,
  submitDismissal,
  submitImpression,
  reviseResponse,
  mintTokens,
  deferredAskLink,
  listPendingScores,
  ackScores,
  exportResponses,
  erase,
  getResults,
  listComments,
  listSurveys,
  showLink,
  answerLink,
  serveOpenapi,
  serveResultsPage,
} as const;

export const ROUTES: readonly Route[] = Object.values(routes);
