/** docs/contract.md §3.7, §3.8. */

import * as z from 'zod/mini';
import { once } from '../domain/memory.ts';
import { ACK_STATES, OPEN_STATES } from '../domain/scoring.ts';
import { SURVEY_TYPES } from '../domain/surveys/survey.ts';
import { shownFields, withdrawnFields } from './answer-schemas.ts';
import { described } from './errors.ts';
import { cursor, flag, givenChoice, limit, note, timestamp, verified } from './fields.ts';
import { scale } from './survey-schemas.ts';

export const pendingScoresInput = once(() =>
  z.object({
    limit: z.exactOptional(limit()),
    includeFailed: z.exactOptional(
      flag('Whether to include scores whose delivery failed. Defaults to `false`.'),
    ),
    includeWithdrawn: z.exactOptional(
      flag(
        'Whether to include withdrawn scores, which must be deleted where they were delivered. Defaults to `false`.',
      ),
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
  revision: described(z.int(), 'The number of times that the answer was changed.'),
  revisedAt: z.nullable(timestamp()),
  triedAt: z.nullable(
    described(
      timestamp(),
      'The time at which the last delivery of any revision began; `null` if none has begun.',
    ),
  ),
});

const standingScore = once(() =>
  z
    .object({
      ...scoreBase(),
      withdrawn: z.literal(false),
      ...shownFields('scores'),
      choice: givenChoice(),
    })
    .check(
      z.meta({
        id: 'PendingScore',
        description:
          'A linked response whose score waits for delivery. Its session values are those that the token attests.',
      }),
    ),
);

const withdrawnScore = once(() =>
  z
    .object({
      ...scoreBase(),
      withdrawn: z.literal(true),
      ...withdrawnFields('scores'),
      choice: z.null(),
    })
    .check(
      z.meta({
        id: 'WithdrawnScore',
        description:
          'A withdrawn response, listed only with `includeWithdrawn`. Delete it where it was delivered.',
      }),
    ),
);

export const pendingScoresReply = once(() =>
  z.object({
    scores: z.array(z.union([standingScore(), withdrawnScore()])),
    nextCursor: z.exactOptional(z.string()),
  }),
);

export const ACK_RESULTS = 100;

const ackResult = once(() =>
  z.object({
    id: z.string(),
    state: described(
      z.enum(ACK_STATES),
      'The state of the delivery: `trying` when it begins, then `delivered` or `failed`.',
    ),
    error: z.exactOptional(z.nullable(note('Lone surrogates are replaced.'))),
    revision: z.exactOptional(
      z.nullable(
        described(
          z.int().check(z.gte(0)),
          'The revision that was delivered. Defaults to the current one. Without it, the score of an answer that was changed in the last ten minutes remains pending.',
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
