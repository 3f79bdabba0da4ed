/** These replies contain no project data. */

import type { Route } from '../route.ts';

export const serveOpenapi = {
  name: 'serve-openapi',
  method: 'GET',
  path: '/openapi.yaml',
  summary: 'Get this OpenAPI document',
  success: { status: 200, mediaType: 'application/yaml', tagged: true },
  access: {},
  timeoutSeconds: 10,
  throttle: { rate: 20, burst: 40 },
} as const satisfies Route;

export const serveResultsPage = {
  name: 'serve-results-page',
  method: 'GET',
  path: '/results',
  summary: 'Get the results page',
  success: { status: 200, mediaType: 'text/html' },
  access: {},
  timeoutSeconds: 10,
  throttle: { rate: 20, burst: 40 },
} as const satisfies Route;

export const documentRoutes = { serveOpenapi, serveResultsPage };

/** The contract does not include this route, so `ROUTES` omits it. */
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
