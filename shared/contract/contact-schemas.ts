/** docs/contract.md §17.5. */

import * as z from 'zod/mini';
import { CONTACT_STATES } from '../domain/answers/contact.ts';
import { once } from '../domain/memory.ts';
import { described } from './errors.ts';
import { atMostOneSurvey, cursor, limit, note, slug, surveyId, timestamp } from './fields.ts';
import { commentFields, day } from './results-schemas.ts';

/** Larger limits are reduced to the maximum. */
export const CONTACT_PAGE = { default: 50, max: 100 } as const;

export const contactsInput = once(() =>
  z
    .object({
      surveySlug: z.exactOptional(
        described(slug(), 'The slug of the survey. Send this or `surveyId`. Defaults to all surveys.'),
      ),
      surveyId: z.exactOptional(surveyId()),
      state: z.exactOptional(
        described(
          z.enum([...CONTACT_STATES, 'all']),
          'The state of the contact requests to list. Defaults to `open`, which means not handled yet.',
        ),
      ),
      from: z.exactOptional(day('The first day of answers to include, in UTC. Defaults to all days.')),
      to: z.exactOptional(day('The last day of answers to include, in UTC. Defaults to all days.')),
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
    .check(z.meta({ id: 'Contact', description: 'An answer of a person who asked to be contacted.' })),
);

export const contactsReply = once(() =>
  z.object({ contacts: z.array(contact()), nextCursor: z.exactOptional(z.string()) }),
);

export const handleContactInput = once(() =>
  z.object({
    id: described(z.string(), 'The id of the response.'),
    handled: described(z.boolean(), 'Whether the contact request is handled. `false` reopens it.'),
    note: z.exactOptional(
      note('A note for colleagues. An empty note deletes the earlier one. Lone surrogates are replaced.'),
    ),
  }),
);

export const handleContactReply = once(() =>
  z.object({ ok: z.literal(true), id: z.string(), handled: z.boolean() }),
);

export type ContactsInput = z.output<ReturnType<typeof contactsInput>>;
export type ContactsReply = z.output<ReturnType<typeof contactsReply>>;
export type Contact = ContactsReply['contacts'][number];
