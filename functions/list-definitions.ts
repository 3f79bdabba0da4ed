import * as routes from '../shared/contract/routes/survey-routes.ts';
import { signIn } from './identity/signed-in.ts';
import { serviceOnLambda } from './runtime/compose.ts';
import { endpoint } from './runtime/endpoint.ts';
import { queryDefinitions } from './surveys/query-definitions.ts';

export const listDefinitions = endpoint(routes.listDefinitions, queryDefinitions, { signIn });

export const handler = serviceOnLambda(listDefinitions.create);
