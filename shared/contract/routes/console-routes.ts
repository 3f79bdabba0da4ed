/** The console (docs/contract.md §20). */

import { signInInput, signInReply } from '../console-schemas.ts';
import * as consoleExamples from '../examples/console-examples.ts';
import type { Route } from '../route.ts';

export const consoleSignIn = {
  name: 'console-sign-in',
  method: 'GET',
  path: '/v1/console/sign-in',
  summary: "How people sign in to a project's console: the OpenID provider and the console's client",
  description: 'By authorization code with PKCE; the client is public and has no secret.',
  named: true,
  rateLimited: true,
  get input() {
    return signInInput();
  },
  query: ['project'],
  strictQuery: true,
  success: {
    status: 200,
    get schema() {
      return signInReply();
    },
  },
  refusals: ['sign_in_not_found'],
  access: { table: ['Query'] },
  timeoutSeconds: 10,
  throttle: { rate: 20, burst: 40 },
  examples: consoleExamples.consoleSignIn,
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
