/** Requests and replies about scores that wait for delivery (docs/contract.md §3.7 and §3.8). */

import * as z from 'zod/mini';
import { once } from '../domain/memory.ts';
import { ACK_STATES, OPEN_STATES } from '../domain/scoring.ts';
import { SURVEY_TYPES } from '../domain/surveys/survey.ts';
import { shownFields, withdrawnFields } from './answer-schemas.ts';
import { ackError, cursor, flag, limit, timestamp, verified } from './fields.ts';
import { scale } from './survey-schemas.ts';

export const pendingScoresInput = once(() =>
  z.object({
    limit: z.exactOptional(limit()),
    includeFailed: z.exactOptional(flag('Whether scores whose delivery failed are listed too.')),
    includeWithdrawn: z.exactOptional(
      flag('Whether withdrawn scores are listed too, which have to be deleted where they were delivered.'),
    ),
    cursor: z.exactOptional(cursor()),
  }),
);

const scoreBase = () => ({
  id: z.string(),
  surveyId: z.string(),
  surveySlug: z.string(),
  surveyType: z.enum(SURVEY_TYPES),
  scale: scale(),
  sessionId: z.nullable(z.string()),
  traceId: z.nullable(z.string()),
  observationId: z.nullable(z.string()),
  respondentId: z.string(),
  verified: verified(),
  at: timestamp(),
  state: z.enum(OPEN_STATES),
  attempts: z.int(),
  lastError: z.nullable(z.string()),
  revision: z.int().check(z.meta({ description: '0 until the answer is changed.' })),
  revisedAt: z.nullable(timestamp()),
  triedAt: z.nullable(
    timestamp().check(
      z.meta({ description: 'When a push of this score, of any revision, was last known to begin.' }),
    ),
  ),
});

const standingScore = once(() =>
  z
    .object({
      ...scoreBase(),
      withdrawn: z.literal(false),
      ...shownFields('scores'),
    })
    .check(
      z.meta({
        id: 'PendingScore',
        description:
          'A linked response that waits for delivery; of its session values those that its token attests.',
      }),
    ),
);

const withdrawnScore = once(() =>
  z
    .object({
      ...scoreBase(),
      withdrawn: z.literal(true),
      ...withdrawnFields('scores'),
    })
    .check(
      z.meta({
        id: 'WithdrawnScore',
        description: 'A withdrawn response, only with `includeWithdrawn`: delete it where it was delivered.',
      }),
    ),
);

export const pendingScoresReply = once(() =>
  z.object({
    scores: z.array(z.union([standingScore(), withdrawnScore()])),
    nextCursor: z.exactOptional(z.string()),
  }),
);

/** Results of one ack request (docs/contract.md §3.8). */
export const ACK_RESULTS = 100;

const ackResult = once(() =>
  z.object({
    id: z.string(),
    state: z
      .enum(ACK_STATES)
      .check(z.meta({ description: '`trying`: a push begins. The others: what became of it.' })),
    error: z.exactOptional(z.nullable(ackError())),
    revision: z.exactOptional(
      z.nullable(
        z.int().check(
          z.gte(0),
          z.meta({
            description:
              'Which revision was pushed: send it. Without it an answer that was changed in the last ten minutes stays pending.',
          }),
        ),
      ),
    ),
  }),
);

export const ackInput = once(() =>
  z.object({
    results: z.array(ackResult()).check(z.maxLength(ACK_RESULTS)),
  }),
);

export const ackReply = once(() => z.object({ ok: z.literal(true), updated: z.int() }));
