import { ackScores } from '../../functions/ack-scores.ts';
import { bootstrap } from '../../functions/bootstrap.ts';
import { deferredAskLink } from '../../functions/deferred-ask-link.ts';
import { erase } from '../../functions/erase.ts';
import { exportResponses } from '../../functions/export-responses.ts';
import { getResults } from '../../functions/get-results.ts';
import { listComments } from '../../functions/list-comments.ts';
import { listPendingScores } from '../../functions/list-pending-scores.ts';
import { listSurveys } from '../../functions/list-surveys.ts';
import { mintTokens } from '../../functions/mint-tokens.ts';
import type { Endpoint } from '../../functions/runtime/endpoint.ts';
import { submitDismissal } from '../../functions/submit-dismissal.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { unknownPath } from '../../functions/unknown-path.ts';
import { type Gateway, startGateway } from '../../local/gateway.ts';
import { CORS } from '../../shared/contract/http.ts';
import type { TestService } from './test-service.ts';

const ENDPOINTS: readonly Endpoint[] = [
  bootstrap,
  submitResponse,
  submitDismissal,
  mintTokens,
  deferredAskLink,
  listPendingScores,
  ackScores,
  exportResponses,
  erase,
  getResults,
  listComments,
  listSurveys,
];

/** The service's routes over real HTTP. */
export async function serveService({ service }: TestService): Promise<Gateway> {
  const target = (endpoint: Endpoint) => ({
    handler: endpoint.create(service),
    functionName: endpoint.route.name,
  });
  return startGateway({
    routes: ENDPOINTS.map((endpoint) => ({
      method: endpoint.route.method,
      path: endpoint.route.path,
      ...target(endpoint),
    })),
    fallback: target(unknownPath),
    cors: { ...CORS, maxAge: CORS.maxAgeSeconds },
    port: 0,
  });
}
