/** docs/contract.md §17.5. */

import * as z from 'zod/mini';
import { CONTACT_STATES } from '../domain/answers/contact.ts';
import { once } from '../domain/memory.ts';
import { described } from './described.ts';
import { atMostOneSurvey, cursor, limit, note, slug, surveyId, timestamp } from './fields.ts';
import { commentFields, day } from './results-schemas.ts';

/** Larger limits are reduced to the maximum. */
export const CONTACT_PAGE = { default: 50, max: 100 } as const;

export const contactsInput = once(() =>
  z
    .object({
      surveySlug: z.exactOptional(described(slug(), 'This or `surveyId`. Defaults to all surveys.')),
      surveyId: z.exactOptional(surveyId()),
      state: z.exactOptional(
        described(
          z.enum([...CONTACT_STATES, 'all']),
          'Which people to list. Defaults to `open`: those whom nobody has contacted yet.',
        ),
      ),
      from: z.exactOptional(day('The first day on which they answered, UTC.')),
      to: z.exactOptional(day('The last day, UTC, inclusive.')),
      limit: z.exactOptional(limit()),
      cursor: z.exactOptional(cursor()),
    })
    .check(
      atMostOneSurvey(),
      z.refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
        path: ['from'],
        error: 'must not be after `to`',
      }),
    ),
);

const handled = once(() => z.object({ at: timestamp(), by: z.string(), note: z.nullable(z.string()) }));

const contact = once(() =>
  z
    .object({
      ...commentFields(),
      survey: z.object({ id: z.string(), slug: z.string() }),
      handled: z.nullable(handled()),
    })
    .check(z.meta({ id: 'Contact', description: 'A person who asked to be contacted, and their answer.' })),
);

export const contactsReply = once(() =>
  z.object({ contacts: z.array(contact()), nextCursor: z.exactOptional(z.string()) }),
);

export const handleContactInput = once(() =>
  z.object({
    id: described(z.string(), 'Id of the response.'),
    handled: described(z.boolean(), 'Whether the request is handled. `false` opens it again.'),
    note: z.exactOptional(
      note('A note for colleagues. An empty one deletes the earlier note. A lone surrogate is replaced.'),
    ),
  }),
);

export const handleContactReply = once(() =>
  z.object({ ok: z.literal(true), id: z.string(), handled: z.boolean() }),
);

export type ContactsInput = z.output<ReturnType<typeof contactsInput>>;
export type ContactsReply = z.output<ReturnType<typeof contactsReply>>;
export type Contact = ContactsReply['contacts'][number];
