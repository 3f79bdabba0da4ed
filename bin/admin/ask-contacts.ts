import { queryContacts } from '../../functions/contacts/query-contacts.ts';
import { CONTACT_PAGE, type Contact, contactsInput } from '../../shared/contract/contact-schemas.ts';
import { isRefusal } from '../../shared/contract/errors.ts';
import { check, errorOf } from './results/query.ts';
import { namedSurvey, type Session } from './session.ts';

export interface ContactQuestion {
  readonly project: string;
  readonly state: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
  readonly cursor?: string;
}

interface Contacts {
  readonly contacts: readonly Contact[];
  readonly nextCursor?: string;
}

/**
 * Reads pages of `GET /v1/contacts` until `limit` contacts are found.
 * @param slug empty for all surveys
 * @throws AdminError
 */
export async function askContacts(session: Session, asked: ContactQuestion, slug: string): Promise<Contacts> {
  const { project, state, from, to } = asked;
  const record = await session.record(project);
  const surveySlug = slug === '' ? undefined : namedSurvey(record, slug).content.slug;
  const settings = await session.settings(project);
  const found: Contact[] = [];
  let { cursor } = asked;
  do {
    const limit = String(Math.min(CONTACT_PAGE.max, asked.limit - found.length));
    const input = check(contactsInput(), { surveySlug, state, from, to, limit, cursor });
    const page = await queryContacts({ input, settings, now: session.now(), service: session.service });
    if (isRefusal(page)) throw errorOf(page);
    found.push(...page.contacts);
    cursor = page.nextCursor;
  } while (cursor !== undefined && found.length < asked.limit);
  return { contacts: found, ...(cursor !== undefined && { nextCursor: cursor }) };
}
