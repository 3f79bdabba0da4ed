/** Examples of the contact routes; a test validates each against its schema. */

import { listComments } from './results-examples.ts';
import { recorded, survey } from './sdk-examples.ts';

const [comment] = listComments.reply.comments;

export const listContacts = {
  input: { surveySlug: survey.slug, state: 'open' },
  reply: {
    contacts: [
      {
        ...comment,
        followUpRequested: true,
        survey: { id: survey.id, slug: survey.slug },
        handled: null,
      },
    ],
  },
};

export const handleContact = {
  input: { id: recorded.id, handled: true, note: 'Called, order sent again.' },
  reply: { ok: true, id: recorded.id, handled: true },
};
