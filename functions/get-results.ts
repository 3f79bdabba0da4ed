import * as routes from '../shared/contract/routes/results-routes.ts';
import { signIn } from './identity/signed-in.ts';
import { queryResults } from './results/query-results.ts';
import { cellRuleOf } from './results/shown-cells.ts';
import { serviceOnLambda } from './runtime/compose.ts';
import { endpoint } from './runtime/endpoint.ts';

export const getResults = endpoint(
  routes.getResults,
  (request) => queryResults({ ...request, rule: cellRuleOf(request.settings, request.key, request.now) }),
  { signIn },
);

export const handler = serviceOnLambda(getResults.create);
