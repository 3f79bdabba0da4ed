import { refuse } from '../shared/contract/errors.ts';
import * as routes from '../shared/contract/routes/contact-routes.ts';
import { goneAnswers } from '../shared/domain/gone-answers.ts';
import { signIn } from './identity/signed-in.ts';
import { serviceOnLambda } from './runtime/compose.ts';
import { endpoint } from './runtime/endpoint.ts';
import { whoCalls } from './runtime/incoming-request.ts';
import { contacts } from './runtime/parts/contacts.ts';

export const handleContact = endpoint(
  routes.handleContact,
  async ({ input: { id, handled, note }, settings, key, now, service }) => {
    const projectId = settings.project.id;
    const at = new Date(now).toISOString();
    const by = whoCalls(key);
    const handling = { projectId, id, handled, note, by, at };
    const isThere = await contacts(service).handle(handling, goneAnswers(settings, now));
    return isThere ? { ok: true as const, id, handled } : refuse('response_not_found');
  },
  { signIn },
);

export const handler = serviceOnLambda(handleContact.create);
