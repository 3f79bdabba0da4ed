/** docs/contract.md §21.4. */

import * as z from 'zod/mini';
import { once } from '../domain/memory.ts';
import { SURVEY_STATUSES, SURVEY_TYPES } from '../domain/surveys/survey.ts';
import { described } from './errors.ts';
import { cursor, limit } from './fields.ts';
import { choiceCounts, count, scaleAndChoices, score, smallestCell } from './results-schemas.ts';

/** Larger limits are reduced to the maximum. */
export const OVERVIEW_PAGE = { default: 50, max: 100 } as const;

export const overviewInput = once(() =>
  z.object({ limit: z.exactOptional(limit()), cursor: z.exactOptional(cursor()) }),
);

const part = () => ({ responses: count(), score: z.nullable(score()) });

export const overviewReply = once(() =>
  z.object({
    from: described(z.string(), 'The first day of the period, in UTC.'),
    to: described(
      z.string(),
      'The last day of the period, in UTC, inclusive: today, or the last Sunday if `smallestCell` is present.',
    ),
    surveys: z.array(
      z.object({
        id: z.string(),
        slug: z.string(),
        type: z.enum(SURVEY_TYPES),
        question: z.string(),
        status: z.enum(SURVEY_STATUSES),
        ...scaleAndChoices(),
        ...part(),
        distribution: z.exactOptional(
          described(
            choiceCounts(),
            'The responses of each choice. Present only for surveys of type `choice`.',
          ),
        ),
        trend: described(
          z.array(z.object({ from: z.string(), to: z.string(), ...part() })),
          'The four weeks of the period, seven days each, oldest first.',
        ),
        allResponses: described(
          count(),
          'The number of responses over all time, rounded down to a multiple of `smallestCell` if that is present.',
        ),
        openContacts: count(),
      }),
    ),
    openContactsCapped: described(
      z.boolean(),
      'Whether there are more open contact requests than `openContacts` counts.',
    ),
    smallestCell: z.exactOptional(smallestCell()),
    nextCursor: z.exactOptional(z.string()),
  }),
);

export type OverviewReply = z.output<ReturnType<typeof overviewReply>>;
