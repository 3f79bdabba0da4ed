import { openapiYaml } from '../shared/contract/openapi/openapi.ts';
import * as routes from '../shared/contract/routes/document-routes.ts';
import { openEndpoint, openOnLambda } from './runtime/open-endpoint.ts';

const HEADERS = { 'content-type': 'application/yaml', 'cache-control': 'public, max-age=300' } as const;

let document: string | undefined;

export const serveOpenapi = openEndpoint(routes.serveOpenapi, async () => {
  document ??= openapiYaml();
  return { raw: document, headers: HEADERS };
});

export const handler = openOnLambda(serveOpenapi);
