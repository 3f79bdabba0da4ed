import * as routes from '../shared/contract/routes/results-routes.ts';
import { signIn } from './identity/signed-in.ts';
import { queryComments } from './results/query-comments.ts';
import { endpoint } from './runtime/endpoint.ts';
import { onLambda } from './runtime/on-lambda.ts';

export const listComments = endpoint(routes.listComments, queryComments, { signIn });

export const handler = onLambda(listComments);
