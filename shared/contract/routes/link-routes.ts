/** docs/contract.md §19. */

import * as examples from '../examples/sdk-examples.ts';
import { linkForm, linkInput, linkReply } from '../link-schemas.ts';
import { ANSWER_RATE, type Route, THROTTLE } from '../route.ts';

/** Browsers treat 401 specially. */
const LINK_STATUSES = { invalid_token: 404, token_expired: 410 } as const;

export const deferredAskLink = {
  name: 'deferred-ask-link',
  method: 'POST',
  path: '/v1/sdk/deferred-ask-link',
  summary: 'Create a link through which a respondent can answer later',
  description:
    'The link opens a page with a form. You can also submit an answer with `showToken`, without session values, because the token contains them. If the respondent may not be asked, the reply is `{ok: false, reason}`, which is not an error.',
  key: 'secret',
  repeated: 'creates another link; neither call stores anything',
  scope: 'mint',
  rateLimited: true,
  input: linkInput,
  body: true,
  success: { status: 200, schema: linkReply },
  refusals: ['survey_not_found'],
  access: { table: ['Query'], secrets: ['hashSecret', 'tokenRing'] },
  timeoutSeconds: 10,
  throttle: THROTTLE,
  examples: examples.deferredAskLink,
} as const satisfies Route;

export const showLink = {
  name: 'show-link',
  method: 'GET',
  path: '/l/{token}',
  aliases: [{ method: 'HEAD', path: '/l/{token}' }],
  summary: 'Get the page of a link, which shows the survey as a form without scripts',
  description: '`rating` preselects a rating. Opening the page stores nothing, however often it is fetched.',
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

export const answerLink = {
  name: 'answer-link',
  method: 'POST',
  path: '/l/{token}',
  summary: 'Submit the form of a link page',
  description:
    'The request is a form as browsers send it. The reply is a page that thanks the person or explains why the answer was not stored.',
  page: true,
  rateLimited: true,
  ownRate: ANSWER_RATE,
  input: linkForm,
  query: ['lang'],
  success: { status: 200, mediaType: 'text/html' },
  refusals: ['survey_not_found', 'invalid_token', 'token_expired', 'rating_out_of_range', 'token_used'],
  statusOf: LINK_STATUSES,
  access: { table: ['Query', 'PutItem'], secrets: ['hashSecret', 'tokenRing'] },
  timeoutSeconds: 10,
  throttle: THROTTLE,
  examples: examples.answerLink,
} as const satisfies Route;

export const linkRoutes = { deferredAskLink, showLink, answerLink };
