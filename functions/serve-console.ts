import { consolePage } from '../pages/console/page.ts';
import * as routes from '../shared/contract/routes/console-routes.ts';
import { consoleProviderOf } from '../shared/domain/project.ts';
import { namedEndpoint } from './runtime/named-endpoint.ts';
import { onLambda } from './runtime/on-lambda.ts';
import { readInput } from './runtime/request-input.ts';

const route = routes.serveConsole;

/** As ids of projects may look: what is none is not asked for. */
const PROJECT_ID = /^[\w-]{1,64}$/;

/**
 * Serves the console of a project, the same to everybody: it holds no data. What depends on the project is the one
 * address besides the service that the page may ask, where its provider redeems codes.
 */
export const serveConsole = namedEndpoint(route, 'CONSOLE_PAGE', async ({ event, trace, load }) => {
  const { project: id } = readInput(route, event, undefined).fields;
  const settings = typeof id === 'string' && PROJECT_ID.test(id) ? await load(id) : undefined;
  if (settings !== undefined) trace.projectId = settings.project.id;
  return consolePage(settings && consoleProviderOf(settings.project)?.tokenEndpoint);
});

export const handler = onLambda(serveConsole);
