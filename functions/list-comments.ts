import * as routes from '../shared/contract/routes/results-routes.ts';
import { signIn } from './identity/signed-in.ts';
import { queryComments } from './results/query-comments.ts';
import { serviceOnLambda } from './runtime/compose.ts';
import { endpoint } from './runtime/endpoint.ts';

export const listComments = endpoint(routes.listComments, queryComments, { signIn });

export const handler = serviceOnLambda(listComments.create);
