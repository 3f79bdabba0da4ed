/** docs/contract.md §20. */

import * as z from 'zod/mini';
import { once } from '../../domain/memory.ts';
import { described } from '../errors.ts';
import { identifier } from '../fields.ts';
import type { Route } from '../route.ts';

// Marked as pure, so that bundles without them drop zod.
const signInInput = /* @__PURE__ */ once(() =>
  z.object({ project: described(identifier(), 'The id of the project.') }),
);

const signInReply = /* @__PURE__ */ once(() =>
  z.object({
    project: z.object({ id: z.string(), name: z.string(), accent: z.nullable(z.string()) }),
    issuer: z.string(),
    clientId: z.string(),
    authorizationEndpoint: z.string(),
    tokenEndpoint: z.string(),
    scope: described(z.string(), 'The scopes to request, separated by spaces.'),
  }),
);

export const consoleSignIn = {
  name: 'console-sign-in',
  method: 'GET',
  path: '/v1/console/sign-in',
  summary: "Get the OpenID provider and client with which people sign in to a project's console",
  description: 'Sign in with the authorization code flow and PKCE. The client is public and has no secret.',
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
  summary: "Get the page of a project's console",
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
  summary: 'Get a file of the console, which never changes under its name',
  success: { status: 200, mediaType: 'text/javascript' },
  refusals: ['not_found'],
  access: {},
  timeoutSeconds: 10,
  throttle: { rate: 200, burst: 400 },
} as const satisfies Route;

export const consoleRoutes = { consoleSignIn, serveConsole, serveConsoleFile };
