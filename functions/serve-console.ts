import { consolePage } from '../pages/console/page.ts';
import * as routes from '../shared/contract/routes/console-routes.ts';
import { consoleProviderOf } from '../shared/domain/project.ts';
import { serviceOnLambda } from './runtime/compose.ts';
import { namedEndpoint } from './runtime/named-endpoint.ts';
import { readInput } from './runtime/request-input.ts';

const route = routes.serveConsole;

const PROJECT_ID = /^[\w-]{1,64}$/;

/** The page is public and contains no data. Its content security policy allows the project's token endpoint. */
export const serveConsole = namedEndpoint(route, 'CONSOLE_PAGE', async ({ event, trace, load }) => {
  const { project: id } = readInput(route, event, undefined).fields;
  const settings = typeof id === 'string' && PROJECT_ID.test(id) ? await load(id) : undefined;
  if (settings !== undefined) trace.projectId = settings.project.id;
  return consolePage(settings && consoleProviderOf(settings.project)?.tokenEndpoint);
});

export const handler = serviceOnLambda(serveConsole.create);
