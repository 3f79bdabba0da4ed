/**
 * Gateways, functions, grants, validation, CORS, `openapi.yaml` and typed clients are made from this table
 * (CONTRIBUTING.md, "Add an endpoint").
 */

import type { Route } from './route.ts';
import { consoleRoutes } from './routes/console-routes.ts';
import { contactRoutes } from './routes/contact-routes.ts';
import { documentRoutes } from './routes/document-routes.ts';
import { linkRoutes } from './routes/link-routes.ts';
import { privacyRoutes } from './routes/privacy-routes.ts';
import { resultsRoutes } from './routes/results-routes.ts';
import { scoreRoutes } from './routes/score-routes.ts';
import { sdkRoutes } from './routes/sdk-routes.ts';
import { surveyRoutes } from './routes/survey-routes.ts';

export { unknownPathRoute } from './routes/document-routes.ts';

export const routes = {
  ...sdkRoutes,
  ...linkRoutes,
  ...scoreRoutes,
  ...privacyRoutes,
  ...resultsRoutes,
  ...contactRoutes,
  ...consoleRoutes,
  ...surveyRoutes,
  ...documentRoutes,
} as const;

export const ROUTES: readonly Route[] = Object.values(routes);
