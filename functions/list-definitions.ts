import * as routes from '../shared/contract/routes/survey-routes.ts';
import { signIn } from './identity/signed-in.ts';
import { endpoint } from './runtime/endpoint.ts';
import { onLambda } from './runtime/on-lambda.ts';
import { queryDefinitions } from './surveys/query-definitions.ts';

export const listDefinitions = endpoint(routes.listDefinitions, queryDefinitions, { signIn });

export const handler = onLambda(listDefinitions);
