import * as routes from '../shared/contract/routes/survey-routes.ts';
import { signIn } from './identity/signed-in.ts';
import { queryOverview } from './overview/query-overview.ts';
import { cellRuleOf } from './results/shown-cells.ts';
import { serviceOnLambda } from './runtime/compose.ts';
import { endpoint } from './runtime/endpoint.ts';

export const getOverview = endpoint(
  routes.getOverview,
  (request) => queryOverview({ ...request, rule: cellRuleOf(request.settings, request.key, request.now) }),
  { signIn },
);

export const handler = serviceOnLambda(getOverview.create);
