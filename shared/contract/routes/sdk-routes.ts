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
  summary: 'Active surveys, suppression, and show-tokens for the surveys that this respondent may see now',
  description:
    'A survey without an entry in `showTokens` is gated for this respondent. Without a `userId` there are no tokens; where the project requires identity, without a valid `userToken`.',
  key: 'publishable',
  rateLimited: true,
  input: bootstrapInput,
  query: ['key', 'userId', 'types', 'preview'],
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
    'A valid unused token is always accepted; caps are never enforced here. A refusal never uses the token up.',
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
  description: 'Token rules are those of a response; a used token is answered 401 here.',
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
    'The token stays good; whether it was used is not looked up, and the same report again changes nothing. Nothing is recorded where the project switched impressions off.',
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
    'Replaces rating, text, follow-up and contact; what is left out is cleared. The same revision with the same content again is 200. `withdraw` keeps the token used and the survey suppressed.',
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
    'Empty `tokens` means that the respondent is gated; that is not an error. `bindings` are the same tokens by slug, as `bind` in the browser takes them. Never call this from a browser.',
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
