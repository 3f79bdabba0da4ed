import type { ErrorCode } from '../errors.ts';
import * as examples from '../examples/sdk-examples.ts';
import { ANSWER_RATE, type Route, THROTTLE } from '../route.ts';
import {
  bootstrapInput,
  bootstrapReply,
  dismissalInput,
  impressionInput,
  impressionReply,
  mintInput,
  mintReply,
  recordedReply,
  responseInput,
  revisionInput,
  revisionReply,
  serverDismissalInput,
} from '../sdk-schemas.ts';

const TOKEN_REFUSALS = ['survey_not_found', 'invalid_token', 'token_expired', 'token_mismatch'] as const;

/** Bundles drop routes that they do not serve. */
/* @__NO_SIDE_EFFECTS__ */
function tokenRefusals<const Own extends readonly ErrorCode[]>(...own: Own) {
  return [...TOKEN_REFUSALS, ...own] as const;
}

export const bootstrap = {
  name: 'bootstrap',
  method: 'POST',
  path: '/v1/sdk/bootstrap',
  aliases: [{ method: 'GET', path: '/v1/definitions' }],
  summary:
    'Get the active surveys, the suppression, and show-tokens for the surveys that the respondent can be shown now',
  description:
    'Surveys without an entry in `showTokens` may not be shown to the respondent now. `showTokens` is absent if the request has no `userId` or, in projects that require identity, no `userToken`.',
  key: 'publishable',
  rateLimited: true,
  input: bootstrapInput,
  query: ['key', 'userId', 'types', 'preview', 'open'],
  lenient: ['types'],
  body: true,
  success: { status: 200, schema: bootstrapReply },
  refusals: ['invalid_identity', 'preview_not_found'],
  access: { table: ['Query', 'GetItem'], secrets: ['hashSecret', 'tokenRing'] },
  timeoutSeconds: 10,
  throttle: THROTTLE,
  examples: examples.bootstrap,
} as const satisfies Route;

export const submitResponse = {
  name: 'submit-response',
  method: 'POST',
  path: '/v1/sdk/responses',
  aliases: [{ method: 'POST', path: '/v1/responses' }],
  summary: 'Submit a rating with its show-token',
  description:
    'A valid, unused token is always accepted: the rules of eligibility apply when it is issued, not here. A refused request never uses the token.',
  key: 'publishable',
  serverScope: 'mint',
  rateLimited: true,
  ownRate: ANSWER_RATE,
  input: responseInput,
  query: ['key', 'userId'],
  body: true,
  success: { status: 201, schema: recordedReply },
  refusals: tokenRefusals('rating_out_of_range', 'token_used'),
  access: { table: ['Query', 'PutItem'], secrets: ['hashSecret', 'tokenRing'] },
  timeoutSeconds: 10,
  throttle: THROTTLE,
  examples: examples.submitResponse,
} as const satisfies Route;

export const submitDismissal = {
  name: 'submit-dismissal',
  method: 'POST',
  path: '/v1/dismissals',
  summary: 'Record a dismissal with its show-token',
  description: 'The token is checked as for a response, except that a used token is refused with 401.',
  key: 'publishable',
  serverScope: 'mint',
  rateLimited: true,
  ownRate: ANSWER_RATE,
  input: dismissalInput,
  serverInput: serverDismissalInput,
  query: ['key', 'userId'],
  body: true,
  success: { status: 201, schema: recordedReply },
  refusals: tokenRefusals('token_used'),
  statusOf: { token_used: 401 },
  access: { table: ['Query', 'PutItem'], secrets: ['hashSecret', 'tokenRing'] },
  timeoutSeconds: 10,
  throttle: THROTTLE,
  examples: examples.submitDismissal,
} as const satisfies Route;

export const submitImpression = {
  name: 'submit-impression',
  method: 'POST',
  path: '/v1/impressions',
  summary: 'Report an impression with its show-token',
  description:
    'The report does not use the token, and it is accepted even if the token was used. Repeating it changes nothing. If the project disables impressions, nothing is recorded.',
  key: 'publishable',
  serverScope: 'mint',
  rateLimited: true,
  ownRate: { bucket: 'SHOWS', share: 0.5 },
  input: impressionInput,
  query: ['key'],
  body: true,
  success: { status: 201, schema: impressionReply },
  refusals: TOKEN_REFUSALS,
  access: { table: ['Query', 'UpdateItem'], secrets: ['hashSecret', 'tokenRing'] },
  timeoutSeconds: 10,
  throttle: THROTTLE,
  examples: examples.submitImpression,
} as const satisfies Route;

export const reviseResponse = {
  name: 'revise-response',
  method: 'POST',
  path: '/v1/sdk/revisions',
  summary: 'Change or withdraw an answer with the show-token that stored it',
  description:
    'Replaces the rating, text, contact request, contact and reasons. Fields that are left out are cleared. Repeating a revision with the same content returns 200. After `withdraw`, the token remains used and the survey remains suppressed.',
  key: 'publishable',
  serverScope: 'mint',
  rateLimited: true,
  ownRate: ANSWER_RATE,
  input: revisionInput,
  query: ['key', 'userId'],
  body: true,
  success: { status: 200, schema: revisionReply },
  refusals: tokenRefusals('rating_out_of_range', 'response_not_found', 'token_used', 'revision_conflict'),
  access: { table: ['Query', 'UpdateItem'], secrets: ['hashSecret', 'tokenRing'] },
  timeoutSeconds: 10,
  throttle: THROTTLE,
  examples: examples.reviseResponse,
} as const satisfies Route;

export const mintTokens = {
  name: 'mint-tokens',
  method: 'POST',
  path: '/v1/sdk/tokens',
  summary: 'Mint session-bound show-tokens',
  description:
    "`tokens` is empty if the respondent may not be asked now, or if the requested survey is unknown or not active. This is not an error; `none` has the reasons. `bindings` has the same tokens by slug, in the form that the browser client's `bind` takes. Never call this operation from a browser.",
  key: 'secret',
  repeated: 'issues other tokens; neither call stores anything',
  scope: 'mint',
  rateLimited: true,
  input: mintInput,
  body: true,
  success: { status: 200, schema: mintReply },
  access: { table: ['Query'], secrets: ['hashSecret', 'tokenRing'] },
  timeoutSeconds: 10,
  throttle: THROTTLE,
  examples: examples.mintTokens,
} as const satisfies Route;

export const sdkRoutes = {
  bootstrap,
  submitResponse,
  submitDismissal,
  submitImpression,
  reviseResponse,
  mintTokens,
};
