import { resultsPage } from '../pages/results/page.ts';
import * as routes from '../shared/contract/routes/document-routes.ts';
import { openEndpoint, openOnLambda } from './runtime/open-endpoint.ts';
import type { RawReply } from './runtime/pipeline.ts';

let page: RawReply | undefined;

/** The page is public, because it loads data only with a reader key. */
export const serveResultsPage = openEndpoint(routes.serveResultsPage, async () => {
  page ??= await resultsPage();
  return page;
});

export const handler = openOnLambda(serveResultsPage);
