/** docs/contract.md §17.5. */

import { contactsInput, contactsReply, handleContactInput, handleContactReply } from '../contact-schemas.ts';
import * as examples from '../examples/results-examples.ts';
import type { Route } from '../route.ts';

const CONTACTS_THROTTLE = { rate: 100, burst: 200 } as const;

export const listContacts = {
  name: 'list-contacts',
  method: 'GET',
  path: '/v1/contacts',
  summary: 'List the answers of people who asked to be contacted, newest first',
  description:
    'Includes answers without text. With a survey, a page can have fewer items than `limit`, or none, and still have `nextCursor`. Items contain personal data.',
  key: 'secret',
  readers: true,
  typescriptName: 'contacts',
  repeated: 'reads again',
  scope: 'comments',
  rateLimited: true,
  input: contactsInput,
  query: ['surveySlug', 'surveyId', 'state', 'from', 'to', 'limit', 'cursor'],
  strictQuery: true,
  success: { status: 200, schema: contactsReply },
  refusals: ['survey_not_found'],
  access: { table: ['Query', 'BatchGetItem'], byContact: ['Query'], secrets: ['hashSecret'] },
  timeoutSeconds: 10,
  throttle: CONTACTS_THROTTLE,
  examples: examples.listContacts,
} as const satisfies Route;

export const handleContact = {
  name: 'handle-contact',
  method: 'PUT',
  path: '/v1/contacts/{id}',
  summary: 'Mark a contact request as handled, or reopen it',
  description:
    'Repeating the request keeps the original `at` and `by`. A revision of the answer that asks for contact reopens the request.',
  key: 'secret',
  editors: true,
  repeated: 'changes nothing unless the answer was changed in between',
  scope: 'contacts',
  rateLimited: true,
  input: handleContactInput,
  body: true,
  success: { status: 200, schema: handleContactReply },
  refusals: ['response_not_found'],
  access: { table: ['Query', 'UpdateItem'], secrets: ['hashSecret'] },
  timeoutSeconds: 10,
  throttle: CONTACTS_THROTTLE,
  examples: examples.handleContact,
} as const satisfies Route;

export const contactRoutes = { listContacts, handleContact };
