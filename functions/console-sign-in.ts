import { isRefusal, refuse } from '../shared/contract/errors.ts';
import * as routes from '../shared/contract/routes/console-routes.ts';
import { appearanceOf, consoleProviderOf } from '../shared/domain/project.ts';
import { serviceOnLambda } from './runtime/compose.ts';
import { namedEndpoint } from './runtime/named-endpoint.ts';
import { parseInput, readInput } from './runtime/request-input.ts';

const route = routes.consoleSignIn;

export const consoleSignIn = namedEndpoint(route, 'SIGN_IN_PAGE', async ({ event, trace, load }) => {
  const { fields, conflict } = readInput(route, event, undefined);
  const parsed = conflict ?? parseInput(route.input(), fields);
  if (isRefusal(parsed)) return parsed;
  const settings = await load(parsed.input.project);
  const found = settings && consoleProviderOf(settings.project);
  if (settings === undefined || found === undefined) return refuse('sign_in_not_found');
  const { project } = settings;
  trace.projectId = project.id;
  const { name, accent = null } = appearanceOf(project);
  const { jwks: _, ...provider } = found;
  return { project: { id: project.id, name, accent }, ...provider };
});

export const handler = serviceOnLambda(consoleSignIn.create);
