/** docs/contract.md §19. */

import * as z from 'zod/mini';
import { formatDuration, parseDuration } from '../domain/duration.ts';
import { once } from '../domain/memory.ts';
import { TOKEN_LIFETIME_RANGE_MS } from '../domain/project.ts';
import { LINK_REASONS } from '../domain/surveys/eligibility.ts';
import { sentFields } from './answer-schemas.ts';
import { described } from './errors.ts';
import {
  dropped,
  exactlyOneSurvey,
  identifier,
  namedSurvey,
  none,
  orDropped,
  sentLabels,
  showToken,
  taskType,
  timestamp,
} from './fields.ts';

const linkLifetime = () => {
  const { min, max } = TOKEN_LIFETIME_RANGE_MS;
  const range = `${formatDuration(min)} to ${formatDuration(max)}`;
  return described(
    z.string().check(
      z.refine((text) => {
        const lifetime = parseDuration(text) ?? 0;
        return lifetime >= min && lifetime <= max;
      }, `must be a duration from ${range}, such as 7d`),
    ),
    `How long the link is valid: ${range}. Defaults to the project's setting for links, which is 7d unless it was changed.`,
  );
};

export const linkInput = once(() =>
  z
    .object({
      respondentId: identifier(),
      ...namedSurvey(),
      sessionId: z.exactOptional(identifier()),
      observationId: z.exactOptional(identifier()),
      traceId: z.exactOptional(identifier()),
      taskType: z.exactOptional(orDropped(taskType())),
      labels: z.exactOptional(orDropped(sentLabels())),
      expiresIn: z.exactOptional(linkLifetime()),
    })
    .check(exactlyOneSurvey()),
);

const link = once(() =>
  z
    .object({
      ok: z.literal(true),
      url: z.string().check(z.meta({ format: 'uri' })),
      showToken: showToken(),
      issuedAt: timestamp(),
      expiresAt: timestamp(),
      surveyId: z.string(),
      respondentId: z.string(),
      sessionId: z.nullable(z.string()),
      dropped: z.exactOptional(dropped()),
    })
    .check(z.meta({ id: 'Link' })),
);

const noLink = once(() =>
  z
    .object({
      ok: z.literal(false),
      reason: z.enum(LINK_REASONS),
      dropped: z.exactOptional(dropped()),
      none: z.exactOptional(none()),
    })
    .check(z.meta({ id: 'NoLink', description: 'The reply if the respondent may not be asked.' })),
);

export const linkForm = once(() =>
  z.object({
    ...sentFields('form'),
    rating: z.pipe(
      z.string().check(
        z.refine((value) => /^\d{1,2}$/.test(value), 'must be a whole number'),
        z.meta({ type: 'integer', minimum: 0, maximum: 10, description: 'A whole number.' }),
      ),
      z.transform(Number),
    ),
    followUpRequested: z.exactOptional(orDropped(z.literal('true'))),
  }),
);

export const linkReply = once(() => z.union([link(), noLink()]));
