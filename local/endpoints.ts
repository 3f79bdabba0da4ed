/** The handlers a local run serves: every route of the table has one, which the test of this file checks. */

import { ackScores } from '../functions/ack-scores.ts';
import { bootstrap } from '../functions/bootstrap.ts';
import { listPendingScores } from '../functions/list-pending-scores.ts';
import { mintTokens } from '../functions/mint-tokens.ts';
import type { Endpoint } from '../functions/runtime/endpoint.ts';
import type { OpenEndpoint } from '../functions/runtime/open-endpoint.ts';
import { serveOpenapi } from '../functions/serve-openapi.ts';
import { submitDismissal } from '../functions/submit-dismissal.ts';
import { submitResponse } from '../functions/submit-response.ts';

export const ENDPOINTS: readonly (Endpoint | OpenEndpoint)[] = [
  bootstrap,
  submitResponse,
  submitDismissal,
  mintTokens,
  serveOpenapi,
  listPendingScores,
  ackScores,
];
