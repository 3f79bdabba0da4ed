/** Requests and replies, field for field as the contract names them (docs/contract.md §3). */

import * as z from 'zod/mini';
import { IDENTITY_KINDS } from '../domain/answer.ts';
import { ACK_STATES, OPEN_STATES } from '../domain/scoring.ts';
import { CORNERS, PRESENTATIONS, SURVEY_TYPES, TARGETING_OPERATORS, TRIGGERS } from '../domain/survey.ts';
import {
  ackError,
  claimedUserId,
  contact,
  cursor,
  flag,
  identifier,
  identityKind,
  key,
  limit,
  orDropped,
  rating,
  sentTraits,
  showToken,
  surveyId,
  taskType,
  text,
  timestamp,
  userToken,
  verified,
} from './fields.ts';
import { atMostOneSurvey, namedSurvey } from './named-survey.ts';
import { once } from './once.ts';

export const endLabels = () => z.object({ low: z.string(), high: z.string() });
const scalar = () => z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const targetingRule = once(() =>
  z.object({
    trait: z.string(),
    op: z.enum(TARGETING_OPERATORS),
    value: z.exactOptional(z.union([scalar(), z.array(scalar())])),
  }),
);

export const thanksLink = () => z.object({ label: z.string(), url: z.string() });
export const thanks = () => z.object({ text: z.string(), link: z.exactOptional(thanksLink()) });
export const words = () =>
  z.object({
    send: z.exactOptional(z.string()),
    close: z.exactOptional(z.string()),
    contact: z.exactOptional(z.string()),
    contactAddress: z.exactOptional(z.string()),
    values: z.exactOptional(z.array(z.string())),
  });

export const localisedTexts = once(() =>
  z.object({
    question: z.exactOptional(z.string()),
    followUpQuestion: z.exactOptional(z.string()),
    endLabels: z.exactOptional(endLabels()),
    thanks: z.exactOptional(thanks()),
    words: z.exactOptional(words()),
  }),
);

/** What a survey's clients see, apart from its id and scale; a survey file writes the same fields. */
export const surveyContent = once(() => ({
  slug: z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must match ^[a-z0-9][a-z0-9-]{0,63}$')),
  type: z.enum(SURVEY_TYPES),
  question: z.string().check(z.minLength(1)),
  followUpQuestion: z.exactOptional(z.string().check(z.minLength(1))),
  presentation: z.enum(PRESENTATIONS),
  corner: z.exactOptional(z.enum(CORNERS)),
  trigger: z.enum(TRIGGERS),
  delayMs: z.exactOptional(z.int().check(z.gte(0))),
  samplePercent: z.exactOptional(z.number().check(z.gte(0), z.lte(100))),
  targeting: z.exactOptional(z.array(targetingRule())),
  endLabels: z.exactOptional(endLabels()),
  showBadge: z.exactOptional(z.boolean()),
  priority: z.exactOptional(z.int().check(z.meta({ description: 'Higher is asked first; 0 unless said.' }))),
  thanks: z.exactOptional(thanks()),
  words: z.exactOptional(words()),
  locales: z.exactOptional(z.record(z.string(), localisedTexts())),
}));

const scale = () => z.object({ min: z.int(), max: z.int() });

const repeat = () =>
  z
    .union([
      z.string(),
      z.object({ answered: z.exactOptional(z.string()), dismissed: z.exactOptional(z.string()) }),
    ])
    .check(
      z.meta({
        description:
          'How often one person may be asked: `never` again unless said; after a duration, `90d`, one for answers and one for dismissals perhaps; once a `session`; once an `observation`.',
      }),
    );

const surveyDefinition = once(() =>
  z.object({ id: z.string(), ...surveyContent(), scale: scale(), repeat: z.exactOptional(repeat()) }).check(
    z.meta({
      id: 'Survey',
      description: 'An active survey; targeting and sampling are applied by clients.',
    }),
  ),
);

const suppression = () => z.array(z.string());
const tokensBySurvey = () => z.record(z.string(), showToken());

export const bootstrapInput = once(() =>
  z.object({
    key: z.exactOptional(key()),
    userId: z.exactOptional(identifier()),
    traits: z.exactOptional(z.unknown().check(z.meta({ description: 'Not read: clients apply targeting.' }))),
    userToken: z.exactOptional(userToken()),
  }),
);

export const bootstrapReply = once(() =>
  z.object({
    surveys: z.array(surveyDefinition()),
    suppression: suppression(),
    showTokens: z.exactOptional(tokensBySurvey()),
    impressions: z.exactOptional(
      z
        .literal(false)
        .check(z.meta({ description: 'There where the project records no impressions: send none.' })),
    ),
  }),
);

/** Session values: where the token attests one, the handler is as strict as with the token itself. */
const claimableSession = () => ({
  sessionId: z.exactOptional(orDropped(identifier())),
  observationId: z.exactOptional(orDropped(identifier())),
  traceId: z.exactOptional(orDropped(identifier())),
});

export const responseInput = once(() =>
  z.object({
    showToken: showToken(),
    surveyId: surveyId(),
    rating: rating(),
    text: z.exactOptional(orDropped(text())),
    followUpRequested: z.exactOptional(orDropped(z.boolean())),
    contact: z.exactOptional(orDropped(contact())),
    userId: z.exactOptional(orDropped(identifier())),
    traits: z.exactOptional(orDropped(sentTraits())),
    key: z.exactOptional(key()),
    ...claimableSession(),
    taskType: z.exactOptional(orDropped(taskType())),
    identityKind: z.exactOptional(orDropped(identityKind())),
  }),
);

const dropped = () =>
  z
    .array(z.string())
    .check(z.meta({ description: 'Paths of what was sent and not kept, such as `traits.orgs`.' }));

export const recordedReply = once(() =>
  z
    .object({
      ok: z.literal(true),
      id: z.string(),
      at: timestamp(),
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

export const revisionInput = once(() =>
  z
    .object({
      showToken: showToken(),
      surveyId: surveyId(),
      revision: z.int().check(z.gte(1), z.meta({ description: 'The last one known + 1; the first is 1.' })),
      rating: z.exactOptional(rating()),
      withdraw: z.exactOptional(
        z.boolean().check(z.meta({ description: 'In place of `rating`: the answer is taken back.' })),
      ),
      text: z.exactOptional(orDropped(text())),
      followUpRequested: z.exactOptional(orDropped(z.boolean())),
      contact: z.exactOptional(orDropped(contact())),
      userId: z.exactOptional(orDropped(identifier())),
      key: z.exactOptional(key()),
      ...claimableSession(),
    })
    .check(
      z.refine(({ rating, withdraw = false }) => (rating === undefined) === withdraw, {
        path: ['rating'],
        error: 'give either a rating or withdraw: true',
      }),
    ),
);

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
      taskType: z.exactOptional(taskType()),
      ...namedSurvey(),
      allowModelRequested: z.exactOptional(
        z
          .boolean()
          .check(
            z.meta({ description: 'Whether an answer of the kind `model-requested` may use the tokens.' }),
          ),
      ),
    })
    .check(atMostOneSurvey()),
);

/** What a browser's `bind` takes. */
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
        description: "A token with all that it attests, as the SDK's `bind` takes it.",
      }),
    ),
);

export const mintReply = once(() =>
  z.object({
    tokens: tokensBySurvey(),
    bindings: z.record(z.string(), binding()).check(z.meta({ description: 'By slug.' })),
    suppression: suppression(),
    issuedAt: timestamp(),
  }),
);

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
  taskType: z.nullable(z.string()),
  respondentId: z.string(),
  identityKind: z.nullable(z.enum(IDENTITY_KINDS)),
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
      rating: z.int(),
      text: z.nullable(z.string()),
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
  z.object({ ...scoreBase(), withdrawn: z.literal(true), rating: z.null(), text: z.null() }).check(
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
        z
          .int()
          .check(
            z.gte(0),
            z.meta({ description: 'Which revision was pushed; the current one unless said.' }),
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

/** The body of every refusal (docs/contract.md §4.1). */
export const errorReply = once(() =>
  z
    .object({
      error: z.object({
        code: z.string().check(z.meta({ description: 'Stable; what programs decide by.' })),
        message: z.string().check(z.meta({ description: 'For people; its wording may change.' })),
        requestId: z.string().check(z.meta({ description: 'Also in the header `x-request-id`.' })),
        issues: z.exactOptional(
          z
            .array(z.object({ path: z.string(), message: z.string() }))
            .check(
              z.meta({ description: 'Of a 400: which field, as a dotted path, and what is wrong with it.' }),
            ),
        ),
        details: z.exactOptional(
          z.record(z.string(), z.union([z.string(), z.number()])).check(
            z.meta({
              description:
                'Of `token_used`: `id`, `at` and `kind` of what used the token. Of `revision_conflict`: `revision`, the current one.',
            }),
          ),
        ),
      }),
    })
    .check(z.meta({ id: 'ErrorReply' })),
);
