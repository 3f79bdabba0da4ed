/** docs/contract.md §3. */

import * as z from 'zod/mini';
import { once } from '../domain/memory.ts';
import { sentFields } from './answer-schemas.ts';
import { described } from './errors.ts';
import {
  atMostOneSurvey,
  claimedUserId,
  dropped,
  identifier,
  key,
  namedSurvey,
  none,
  orDropped,
  previewToken,
  redacted,
  sentLabels,
  showToken,
  surveyId,
  taskType,
  timestamp,
  userToken,
} from './fields.ts';
import { surveyDefinition } from './survey-schemas.ts';

const suppression = () => z.array(z.string());
const tokensBySurvey = () => z.record(z.string(), showToken());

export const bootstrapInput = once(() =>
  z.object({
    key: z.exactOptional(key()),
    userId: z.exactOptional(identifier()),
    traits: z.exactOptional(described(z.unknown(), 'Ignored. Clients apply targeting themselves.')),
    userToken: z.exactOptional(userToken()),
    types: z.exactOptional(
      orDropped(
        described(
          z.string(),
          'The features that the client supports in addition to the types `nps`, `csat`, `ces` and `pmf`, separated by commas: `thumbs`, `pages`, `events`, `by-rating`, `choice`, `open`, `person`.',
        ),
      ),
    ),
    preview: z.exactOptional(previewToken()),
    open: z.exactOptional(
      described(
        z.string(),
        'The slug of a survey with `trigger: person` that the person opens now. The reply has only this survey, with its token.',
      ),
    ),
  }),
);

export const bootstrapReply = once(() =>
  z.object({
    surveys: z.array(surveyDefinition()),
    preview: z.exactOptional(
      described(z.literal(true), 'Present if the reply is a preview. Show the survey, and send nothing.'),
    ),
    suppression: suppression(),
    showTokens: z.exactOptional(tokensBySurvey()),
    impressions: z.exactOptional(
      described(z.literal(false), 'Present if the project records no impressions. Do not report any.'),
    ),
  }),
);

/** The handler refuses a value that differs from an attested one. */
const claimableSession = () => ({
  sessionId: z.exactOptional(orDropped(identifier())),
  observationId: z.exactOptional(orDropped(identifier())),
  traceId: z.exactOptional(orDropped(identifier())),
});

export const responseInput = once(() => {
  const { traits, taskType, identityKind, channel, ...said } = sentFields('server');
  return z.object({
    showToken: showToken(),
    surveyId: surveyId(),
    ...said,
    userId: z.exactOptional(orDropped(identifier())),
    traits,
    key: z.exactOptional(key()),
    ...claimableSession(),
    taskType,
    identityKind,
    channel,
  });
});

export const recordedReply = once(() =>
  z
    .object({
      ok: z.literal(true),
      id: z.string(),
      at: timestamp(),
      redacted: z.exactOptional(redacted()),
      dropped: z.exactOptional(dropped()),
    })
    .check(z.meta({ id: 'RecordedReply' })),
);

export const dismissalInput = once(() =>
  z.object({
    showToken: showToken(),
    surveyId: surveyId(),
    userId: claimedUserId(),
    key: z.exactOptional(key()),
    ...claimableSession(),
  }),
);

/** The server's token identifies the person. */
export const serverDismissalInput = once(() =>
  z.object({ ...dismissalInput().shape, userId: z.exactOptional(claimedUserId()) }),
);

export const impressionInput = once(() =>
  z.object({
    showToken: showToken(),
    surveyId: surveyId(),
    key: z.exactOptional(key()),
    ...claimableSession(),
  }),
);

export const impressionReply = once(() =>
  z.object({ ok: z.literal(true), at: timestamp(), dropped: z.exactOptional(dropped()) }),
);

export const revisionInput = once(() => {
  const { rating, ...said } = sentFields('revision');
  return z
    .object({
      showToken: showToken(),
      surveyId: surveyId(),
      revision: described(
        z.int().check(z.gte(1)),
        'The number of the revision: the last known revision plus 1, starting at 1.',
      ),
      rating: z.exactOptional(rating),
      withdraw: z.exactOptional(
        described(z.boolean(), 'Set to `true` to withdraw the answer. Send either this or `rating`.'),
      ),
      ...said,
      userId: z.exactOptional(orDropped(identifier())),
      key: z.exactOptional(key()),
      ...claimableSession(),
    })
    .check(
      z.refine(({ rating, withdraw = false }) => (rating === undefined) === withdraw, {
        path: ['rating'],
        error: 'give either a rating or withdraw: true',
      }),
    );
});

export const revisionReply = once(() =>
  z.object({ ...recordedReply().shape, revision: z.int() }).check(z.meta({ id: 'RevisedReply' })),
);

export const mintInput = once(() =>
  z
    .object({
      respondentId: identifier(),
      sessionId: identifier(),
      observationId: z.exactOptional(identifier()),
      traceId: z.exactOptional(identifier()),
      taskType: z.exactOptional(orDropped(taskType())),
      labels: z.exactOptional(orDropped(sentLabels())),
      ...namedSurvey(),
      allowModelRequested: z.exactOptional(
        described(
          z.boolean(),
          'Whether the tokens accept answers with the `identityKind` `model-requested`. Defaults to `false`.',
        ),
      ),
    })
    .check(atMostOneSurvey()),
);

const binding = once(() =>
  z
    .object({
      surveyId: z.string(),
      slug: z.string(),
      showToken: showToken(),
      sessionId: z.string(),
      traceId: z.exactOptional(z.string()),
      observationId: z.exactOptional(z.string()),
      taskType: z.exactOptional(z.string()),
    })
    .check(
      z.meta({
        id: 'Binding',
        description:
          "A show-token with the session values that it attests. Pass it to the browser client's `bind`.",
      }),
    ),
);

export const mintReply = once(() =>
  z.object({
    tokens: tokensBySurvey(),
    bindings: described(
      z.record(z.string(), binding()),
      'The same tokens by the slug of their survey, each with everything that an answer needs.',
    ),
    suppression: suppression(),
    issuedAt: timestamp(),
    dropped: z.exactOptional(dropped()),
    none: z.exactOptional(none()),
  }),
);
