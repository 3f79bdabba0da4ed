/** docs/contract.md §20. */

import * as z from 'zod/mini';
import { once } from '../../domain/memory.ts';
import { described } from '../described.ts';
import { identifier } from '../fields.ts';
import type { Route } from '../route.ts';

// Marked as pure, so that bundles without them drop zod.
const signInInput = /* @__PURE__ */ once(() =>
  z.object({ project: described(identifier(), 'Id of the project.') }),
);

const signInReply = /* @__PURE__ */ once(() =>
  z.object({
    project: z.object({ id: z.string(), name: z.string(), accent: z.nullable(z.string()) }),
    issuer: z.string(),
    clientId: z.string(),
    authorizationEndpoint: z.string(),
    tokenEndpoint: z.string(),
    scope: described(z.string(), 'What to ask for, separated by blanks.'),
  }),
);

export const consoleSignIn = {
  name: 'console-sign-in',
  method: 'GET',
  path: '/v1/console/sign-in',
  summary: "How people sign in to a project's console: the OpenID provider and the console's client",
  description: 'By authorization code with PKCE; the client is public and has no secret.',
  named: true,
  rateLimited: true,
  input: signInInput,
  query: ['project'],
  strictQuery: true,
  success: { status: 200, schema: signInReply },
  refusals: ['sign_in_not_found'],
  access: { table: ['Query'] },
  timeoutSeconds: 10,
  throttle: { rate: 20, burst: 40 },
  examples: {
    input: { project: 'p7k2m9' },
    reply: {
      project: { id: 'p7k2m9', name: 'Shop', accent: '#0b6e4f' },
      issuer: 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Abc123',
      clientId: '4f0e1d2c3b4a5968',
      authorizationEndpoint: 'https://shop.auth.eu-west-1.amazoncognito.com/oauth2/authorize',
      tokenEndpoint: 'https://shop.auth.eu-west-1.amazoncognito.com/oauth2/token',
      scope: 'openid email profile',
    },
  },
} as const satisfies Route;

export const serveConsole = {
  name: 'serve-console',
  method: 'GET',
  path: '/console/{project}',
  summary: 'The console of a project',
  named: true,
  rateLimited: true,
  success: { status: 200, mediaType: 'text/html' },
  access: { table: ['Query'] },
  timeoutSeconds: 10,
  throttle: { rate: 20, burst: 40 },
} as const satisfies Route;

export const serveConsoleFile = {
  name: 'serve-console-file',
  method: 'GET',
  path: '/console/assets/{file}',
  summary: 'An immutable file of the console',
  success: { status: 200, mediaType: 'text/javascript' },
  refusals: ['not_found'],
  access: {},
  timeoutSeconds: 10,
  throttle: { rate: 200, burst: 400 },
} as const satisfies Route;

export const consoleRoutes = { consoleSignIn, serveConsole, serveConsoleFile };
