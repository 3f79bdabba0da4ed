/** Scores that wait for delivery (docs/contract.md §9.3). */

import * as examples from '../examples/score-examples.ts';
import { type Route, THROTTLE } from '../route.ts';
import { ackInput, ackReply, pendingScoresInput, pendingScoresReply } from '../score-schemas.ts';

export const listPendingScores = {
  name: 'list-pending-scores',
  method: 'GET',
  path: '/v1/sdk/pending-scores',
  summary: 'Linked responses whose scores wait for delivery, oldest first',
  description:
    'Every page but the last is full and has `nextCursor`. A cursor belongs to one sweep: acking while paging neither skips nor repeats; a new sweep starts without one. Items carry personal data.',
  key: 'secret',
  typescriptName: 'pendingScores',
  repeated: 'reads again',
  scope: 'scores',
  rateLimited: true,
  get input() {
    return pendingScoresInput();
  },
  query: ['limit', 'includeFailed', 'includeWithdrawn', 'cursor'],
  success: {
    status: 200,
    get schema() {
      return pendingScoresReply();
    },
  },
  access: { table: ['Query', 'BatchGetItem'], byScoreState: ['Query'], secrets: ['hashSecret'] },
  timeoutSeconds: 10,
  throttle: THROTTLE,
  examples: examples.listPendingScores,
} as const satisfies Route;

export const ackScores = {
  name: 'ack-scores',
  method: 'POST',
  path: '/v1/sdk/pending-scores/ack',
  summary: 'Report the delivery of scores',
  description:
    'Ids that are unknown or of another project are ignored without error. `delivered` is final for the revision that was pushed; an ack of an older one leaves the newer pending. The same id twice: the last one wins.',
  key: 'secret',
  repeated:
    'gives the same result; `updated` counts only what still changed, and `attempts` of a failed score may count twice',
  scope: 'scores',
  rateLimited: true,
  get input() {
    return ackInput();
  },
  body: true,
  success: {
    status: 200,
    get schema() {
      return ackReply();
    },
  },
  access: { table: ['Query', 'UpdateItem'], secrets: ['hashSecret'] },
  timeoutSeconds: 10,
  throttle: THROTTLE,
  examples: examples.ackScores,
} as const satisfies Route;

export const scoreRoutes = { listPendingScores, ackScores };
