import { routes } from '../shared/contract/routes.ts';
import { PAGE_HEADERS, RESULTS_PAGE } from './results/page.ts';
import { openEndpoint, openOnLambda } from './runtime/open-endpoint.ts';

/** Serves the page of results, which is the same for everybody: what it shows it asks for with a reader key. */
export const serveResultsPage = openEndpoint(routes.serveResultsPage, async () => ({
  raw: RESULTS_PAGE,
  headers: PAGE_HEADERS,
}));

export const handler = openOnLambda(serveResultsPage);
