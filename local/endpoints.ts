/** The handlers a local run serves: every route of the table has one, which the test of this file checks. */

import { ackScores } from '../functions/ack-scores.ts';
import { bootstrap } from '../functions/bootstrap.ts';
import { erase } from '../functions/erase.ts';
import { exportResponses } from '../functions/export-responses.ts';
import { listPendingScores } from '../functions/list-pending-scores.ts';
import { mintTokens } from '../functions/mint-tokens.ts';
import type { Endpoint } from '../functions/runtime/endpoint.ts';
import type { ErasureDependencies } from '../functions/runtime/erasure-dependencies.ts';
import type { ExportDependencies } from '../functions/runtime/export-dependencies.ts';
import type { OpenEndpoint } from '../functions/runtime/open-endpoint.ts';
import { serveOpenapi } from '../functions/serve-openapi.ts';
import { submitDismissal } from '../functions/submit-dismissal.ts';
import { submitResponse } from '../functions/submit-response.ts';

/** What all of them together are given. */
export type AllDependencies = ExportDependencies & ErasureDependencies;

export const ENDPOINTS: readonly (Endpoint<AllDependencies> | OpenEndpoint)[] = [
  bootstrap,
  submitResponse,
  submitDismissal,
  mintTokens,
  serveOpenapi,
  listPendingScores,
  ackScores,
  exportResponses,
  erase,
];
