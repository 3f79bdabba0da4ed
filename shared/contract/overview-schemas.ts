/** docs/contract.md §21.4. */

import * as z from 'zod/mini';
import { once } from '../domain/memory.ts';
import { SURVEY_STATUSES, SURVEY_TYPES } from '../domain/surveys/survey.ts';
import { described } from './described.ts';
import { cursor, limit } from './fields.ts';
import { count, score, smallestCell } from './results-schemas.ts';

/** Larger limits are reduced to the maximum. */
export const OVERVIEW_PAGE = { default: 50, max: 100 } as const;

export const overviewInput = once(() =>
  z.object({ limit: z.exactOptional(limit()), cursor: z.exactOptional(cursor()) }),
);

const part = () => ({ responses: count(), score: z.nullable(score()) });

export const overviewReply = once(() =>
  z.object({
    from: described(z.string(), 'The first day of the period, UTC.'),
    to: described(z.string(), 'Today, UTC, inclusive. With a `smallestCell`, the last Sunday.'),
    surveys: z.array(
      z.object({
        id: z.string(),
        slug: z.string(),
        type: z.enum(SURVEY_TYPES),
        question: z.string(),
        status: z.enum(SURVEY_STATUSES),
        ...part(),
        trend: described(
          z.array(z.object({ from: z.string(), to: z.string(), ...part() })),
          'The period in four parts of seven days, oldest first.',
        ),
        allResponses: described(count(), 'The number of responses of all time.'),
        openContacts: count(),
      }),
    ),
    openContactsCapped: described(z.boolean(), 'Whether more people wait to be contacted than were counted.'),
    smallestCell: z.exactOptional(smallestCell()),
    nextCursor: z.exactOptional(z.string()),
  }),
);

export type OverviewReply = z.output<ReturnType<typeof overviewReply>>;
