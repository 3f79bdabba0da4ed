import * as routes from '../shared/contract/routes/survey-routes.ts';
import { signIn } from './identity/signed-in.ts';
import { serviceOnLambda } from './runtime/compose.ts';
import { endpoint } from './runtime/endpoint.ts';
import { whoCalls } from './runtime/presented-request.ts';
import { changeDefinitions } from './surveys/change-definitions.ts';

export const putDefinitions = endpoint(
  routes.putDefinitions,
  ({ key, ...request }) => changeDefinitions({ ...request, by: whoCalls(key) }),
  { signIn },
);

export const handler = serviceOnLambda(putDefinitions.create);
