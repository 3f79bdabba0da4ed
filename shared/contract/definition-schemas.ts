/** docs/contract.md §21. */

import * as z from 'zod/mini';
import { CONSOLE_ROLES } from '../domain/console.ts';
import { once } from '../domain/memory.ts';
import { CHANGES_SHOWN, SURVEY_SOURCES } from '../domain/surveys/survey-change.ts';
import type { WrittenSurvey } from '../domain/surveys/written-survey.ts';
import { described } from './errors.ts';
import { cursor, flag, limit, timestamp } from './fields.ts';
import { surveyList, surveyOfFile } from './survey-file.ts';
import { readWritten } from './survey-file-problems.ts';

/** Larger limits are reduced to the maximum. */
export const DEFINITION_PAGE = { default: 50, max: 100 } as const;

/** DynamoDB limits the number of items in a transaction. */
const MOST_CHANGED = 49;

const revision = () =>
  described(
    z.int().check(z.gte(0)),
    "The revision of the project's surveys. It counts the changes of all surveys as one set.",
  );

const slugs = () => z.array(z.string()).check(z.maxLength(500, 'must be at most 500 slugs'));

export const definitionsInput = once(() =>
  z.object({
    limit: z.exactOptional(limit()),
    cursor: z.exactOptional(cursor()),
    log: z.exactOptional(flag('Whether the reply includes the latest changes in `log`.')),
  }),
);

const changedBy = () =>
  z.nullable(
    described(
      z.string(),
      'The author of the change: the id of a key, the e-mail address or name of a signed-in person, or `operator`. `null` if it was not recorded, and for reader keys without the scope `comments`.',
    ),
  );

const lastChange = () => ({
  source: described(
    z.enum(SURVEY_SOURCES),
    'How the change was made: `apply` for the command line and for unknown changes, `console` for the API and the console.',
  ),
  changedBy: changedBy(),
  changedAt: z.nullable(timestamp()),
});

const written = () => z.custom<WrittenSurvey>().check(z.meta({ $ref: '#/components/schemas/WrittenSurvey' }));

/** Changes name fields and contain no texts. */
const loggedChange = () =>
  z.object({
    revision: revision(),
    ...lastChange(),
    surveys: z.array(
      z.object({
        slug: z.string(),
        action: z.enum(['created', 'updated']),
        fields: described(z.array(z.string()), 'Only their names, as in a survey file.'),
      }),
    ),
    reordered: z.boolean(),
  });

export const definitionsReply = once(() =>
  z.object({
    role: described(z.enum(CONSOLE_ROLES), 'The role of the caller. Only editors can change surveys.'),
    comments: described(z.boolean(), 'Whether the caller can read comments and contacts.'),
    revision: revision(),
    order: described(z.array(z.string()), 'The slugs of all surveys, in the order in which they are shown.'),
    surveys: z.array(written()),
    ...lastChange(),
    lastChanges: described(
      z.record(z.string(), z.object({ id: z.string(), ...lastChange() })),
      'The id and the last change of each survey on this page, by slug.',
    ),
    log: z.exactOptional(
      described(
        z.array(loggedChange()),
        `The changes of the last ${CHANGES_SHOWN} revisions, newest first. Present only if the request sets \`log\`.`,
      ),
    ),
    nextCursor: z.exactOptional(z.string()),
  }),
);

export const putDefinitionsInput = once(() =>
  z.object({
    revision: revision(),
    surveys: surveyList(MOST_CHANGED),
    order: z.exactOptional(described(slugs(), 'The slugs of the surveys that come first, in this order.')),
    dryRun: z.exactOptional(
      described(z.boolean(), 'Whether to check the request without storing anything. Defaults to `false`.'),
    ),
  }),
);

const fieldChange = () =>
  z.object({
    field: described(z.string(), 'The name of the field in a survey file, such as `limits.quietPeriod`.'),
    before: z.unknown(),
    after: z.unknown(),
  });

export const putDefinitionsReply = once(() =>
  z.object({
    revision: revision(),
    created: z.array(z.string()),
    updated: z.array(z.string()),
    unchanged: z.array(z.string()),
    changes: z.array(
      z.object({
        slug: z.string(),
        action: z.enum(['created', 'updated']),
        fields: z.array(fieldChange()),
      }),
    ),
    reordered: z.boolean(),
  }),
);

export type DefinitionsReply = z.output<ReturnType<typeof definitionsReply>>;
export type PutDefinitionsInput = z.output<ReturnType<typeof putDefinitionsInput>>;
export type PutDefinitionsReply = z.output<ReturnType<typeof putDefinitionsReply>>;

export const readPutDefinitions = (fields: Readonly<Record<string, unknown>>) =>
  readWritten(putDefinitionsInput(), fields, 'surveys');

export const createPreviewInput = once(() => z.object({ survey: surveyOfFile }));

export const createPreviewReply = once(() =>
  z.object({
    preview: described(
      z.string(),
      'The preview token, 68 characters. Add it to the URL of a page that has the client: `?canvass-preview=…`.',
    ),
    expiresAt: timestamp(),
  }),
);

export const readCreatePreview = (fields: Readonly<Record<string, unknown>>) =>
  readWritten(createPreviewInput(), fields, 'survey');
