/** docs/contract.md §9.3. */

import { tellFields } from '../../domain/answers/answer-fields.ts';
import { answer, mintTokens, recorded, survey } from '../examples/sdk-examples.ts';
import { type Route, THROTTLE } from '../route.ts';
import { ackInput, ackReply, pendingScoresInput, pendingScoresReply } from '../score-schemas.ts';

const { taskType, labels } = mintTokens.input;
const AT = recorded.at;
const SURVEY_ID = survey.id;

const listPendingScoresExamples = {
  input: { cursor: 'kq3Zc1tY0wX9vB7nR5mJ2gMjAyNi0xMS0yMFQwOTozMDowMC4wMDBaI0Fa' },
  reply: {
    scores: [
      {
        id: recorded.id,
        surveyId: SURVEY_ID,
        surveySlug: survey.slug,
        surveyType: 'csat',
        ...tellFields('scores', { ...answer, taskType, labels }),
        choice: null,
        scale: { min: 1, max: 5 },
        sessionId: mintTokens.input.sessionId,
        traceId: mintTokens.input.traceId,
        observationId: mintTokens.input.observationId,
        respondentId: 'user-42',
        verified: true,
        at: AT,
        state: 'pending',
        attempts: 0,
        lastError: null,
        revision: 0,
        revisedAt: null,
        triedAt: null,
        withdrawn: false,
      },
    ],
  },
};

export const listPendingScores = {
  name: 'list-pending-scores',
  method: 'GET',
  path: '/v1/sdk/pending-scores',
  summary: 'List the scores of linked responses that wait for delivery, oldest first',
  description:
    'Every page but the last is full and has `nextCursor`. A cursor is valid for one pass over the list. Acknowledging scores during that pass neither skips nor repeats a score. Start a new pass without a cursor. Items contain personal data.',
  key: 'secret',
  typescriptName: 'pendingScores',
  repeated: 'reads again',
  scope: 'scores',
  rateLimited: true,
  input: pendingScoresInput,
  query: ['limit', 'includeFailed', 'includeWithdrawn', 'cursor'],
  success: { status: 200, schema: pendingScoresReply },
  access: { table: ['Query', 'BatchGetItem'], byScoreState: ['Query'], secrets: ['hashSecret'] },
  timeoutSeconds: 10,
  throttle: THROTTLE,
  examples: listPendingScoresExamples,
} as const satisfies Route;

const ackScoresExamples = {
  input: { results: [{ id: recorded.id, state: 'delivered' }] },
  reply: { ok: true, updated: 1 },
};

export const ackScores = {
  name: 'ack-scores',
  method: 'POST',
  path: '/v1/sdk/pending-scores/ack',
  summary: 'Report the delivery of scores',
  description:
    'Unknown ids and ids of other projects are ignored. `delivered` is final for the revision that was pushed. Acknowledging an older revision leaves the newer one pending. If a request has one id twice, the last one applies.',
  key: 'secret',
  repeated:
    'has the same result; `updated` counts only scores that changed this time, and `attempts` of a failed score can increase twice',
  scope: 'scores',
  rateLimited: true,
  input: ackInput,
  body: true,
  success: { status: 200, schema: ackReply },
  access: { table: ['Query', 'UpdateItem'], secrets: ['hashSecret'] },
  timeoutSeconds: 10,
  throttle: THROTTLE,
  examples: ackScoresExamples,
} as const satisfies Route;

export const scoreRoutes = { listPendingScores, ackScores };
