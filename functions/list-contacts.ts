import * as routes from '../shared/contract/routes/contact-routes.ts';
import { signIn } from './identity/signed-in.ts';
import { queryContacts } from './results/query-contacts.ts';
import { serviceOnLambda } from './runtime/compose.ts';
import { endpoint } from './runtime/endpoint.ts';

export const listContacts = endpoint(routes.listContacts, queryContacts, { signIn });

export const handler = serviceOnLambda(listContacts.create);
