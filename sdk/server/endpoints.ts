/** Method and path of each route that a secret key opens, and a field by which its reply is known as the service's. */

import type { Endpoints, Replies } from './route-types.ts';
import type { Endpoint } from './transport/transport.ts';

type EndpointOf<Name extends keyof Endpoints> = Endpoint &
  Endpoints[Name] & { readonly replyField: keyof Replies[Name] };

export const ENDPOINTS = {
  mintTokens: { method: 'POST', path: '/v1/sdk/tokens', replyField: 'tokens' },
  deferredAskLink: { method: 'POST', path: '/v1/sdk/deferred-ask-link', replyField: 'ok' },
  listPendingScores: { method: 'GET', path: '/v1/sdk/pending-scores', replyField: 'scores' },
  ackScores: { method: 'POST', path: '/v1/sdk/pending-scores/ack', replyField: 'updated' },
  exportResponses: { method: 'GET', path: '/v1/privacy/export', replyField: 'responses', isLong: true },
  erase: { method: 'DELETE', path: '/v1/privacy/erase', replyField: 'mode', isLong: true },
  getResults: { method: 'GET', path: '/v1/results', replyField: 'survey' },
  listComments: { method: 'GET', path: '/v1/results/comments', replyField: 'comments' },
  listSurveys: { method: 'GET', path: '/v1/surveys', replyField: 'surveys' },
} as const satisfies { readonly [Name in keyof Endpoints]: EndpointOf<Name> };
