/** `contacts list|handle|sweep`. */

import { type Command, Option } from 'commander';
import { queryContacts } from '../../functions/contacts/query-contacts.ts';
import { contactSweep, contacts } from '../../functions/runtime/compose.ts';
import { formatCount } from '../../pages/results/figures.ts';
import {
  CONTACT_PAGE,
  type Contact,
  contactsInput,
  handleContactInput,
} from '../../shared/contract/contact-schemas.ts';
import { isRefusal } from '../../shared/contract/errors.ts';
import { CONTACT_STATES } from '../../shared/domain/answers/contact.ts';
import { goneAnswers } from '../../shared/domain/gone-answers.ts';
import { failure } from './admin-error.ts';
import { type Perform, type Report, requireProject } from './command.ts';
import { parseLimit } from './results/commands.ts';
import { check, errorOf } from './results/query.ts';
import { namedSurvey, type Session } from './session.ts';
import { columns } from './terminal.ts';

/** Who sees to wishes on the command line, in place of a key. */
const BY_OPERATOR = 'operator';

const DEFAULT_CONTACTS = 50;

interface ListFlags {
  readonly project: string;
  readonly state: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
  readonly cursor?: string;
}

interface HandleFlags {
  readonly project: string;
  readonly note?: string;
  readonly open?: true;
}

/** Pages of `GET /v1/contacts` until there are as many as wanted. @throws AdminError */
async function askContacts(session: Session, flags: ListFlags, slug: string) {
  const { project, state, from, to } = flags;
  const record = await session.record(project);
  const surveySlug = slug === '' ? undefined : namedSurvey(record, slug).content.slug;
  const settings = await session.settings(project);
  const found: Contact[] = [];
  let { cursor } = flags;
  do {
    const limit = String(Math.min(CONTACT_PAGE.max, flags.limit - found.length));
    const input = check(contactsInput(), { surveySlug, state, from, to, limit, cursor });
    const page = await queryContacts({ input, settings, now: session.now(), service: session.service });
    if (isRefusal(page)) throw errorOf(page);
    found.push(...page.contacts);
    cursor = page.nextCursor;
  } while (cursor !== undefined && found.length < flags.limit);
  return { contacts: found, ...(cursor !== undefined && { nextCursor: cursor }) };
}

async function list(session: Session, flags: ListFlags, [slug = '']: readonly string[]): Promise<Report> {
  const reply = await askContacts(session, flags, slug);
  const rows = reply.contacts.map(({ id, at, survey, rating, respondentId, contact, handled, text }) => [
    at,
    survey.slug,
    String(rating),
    contact ?? respondentId,
    handled?.at ?? 'open',
    handled?.note ?? '',
    text ?? '',
    id,
  ]);
  const more = reply.nextCursor === undefined ? '' : `\nThere may be more: --cursor ${reply.nextCursor}`;
  const heads = ['AT', 'SURVEY', 'RATING', 'WHOM', 'HANDLED', 'NOTE', 'TEXT', 'ID'];
  const table = rows.length === 0 ? 'Nobody is on this list.' : columns(heads, rows, session.terminal);
  return { json: reply, text: table + more };
}

async function handle(
  session: Session,
  { project, note, open }: HandleFlags,
  [id = '']: readonly string[],
): Promise<Report> {
  const isGone = goneAnswers(await session.settings(project), session.now());
  const handled = open !== true;
  const input = check(handleContactInput(), { id, handled, note });
  const at = new Date(session.now()).toISOString();
  const handling = { projectId: project, ...input, by: BY_OPERATOR, at };
  if (!(await contacts(session.service).handle(handling, isGone)))
    throw failure(`There is no answer ${id} in project ${project} that asks to be contacted.`);
  return { json: { ok: true, id, handled }, text: `${id} is ${handled ? 'handled' : 'open again'}.` };
}

interface SweepFlags {
  readonly project: string;
  readonly anew?: true;
}

async function sweep(session: Session, { project, anew: isAnew }: SweepFlags): Promise<Report> {
  await session.record(project);
  const { terminal, service } = session;
  const swept = await contactSweep(service)
    .sweep(project, {
      now: session.now,
      isAnew,
      onProgress: (done, rows) => terminal.progress.show(done, `${formatCount(rows)} answers`),
    })
    .finally(terminal.progress.clear);
  const { rows, contacts: asking, changed } = swept;
  return {
    json: swept,
    text: `${formatCount(rows)} answers, ${formatCount(asking)} ask to be contacted, ${formatCount(changed)} put right.`,
  };
}

export function addContactCommands(program: Command, perform: Perform): void {
  const contact = program.command('contacts').description('people who asked to be contacted');

  requireProject(contact.command('list [slug]').description('newest first; of all surveys unless said'))
    .addOption(
      new Option('--state <state>', 'whether somebody has seen to it')
        .choices([...CONTACT_STATES, 'all'])
        .default('open'),
    )
    .option('--from <day>', 'first day, UTC, as 2026-11-20')
    .option('--to <day>', 'last day, UTC, included')
    .addOption(new Option('--limit <count>', 'how many').argParser(parseLimit).default(DEFAULT_CONTACTS))
    .option('--cursor <cursor>', 'where an earlier list ended')
    .action(perform<ListFlags>(list));

  requireProject(contact.command('handle').description('note that somebody has seen to it'))
    .argument('<id>', 'of the answer')
    .option('--note <text>', 'for colleagues, at most 500 characters')
    .option('--open', 'open it again')
    .action(perform<HandleFlags>(handle));

  requireProject(
    contact
      .command('sweep')
      .description('put answers from before the list on it; goes on where an earlier one was ended'),
  )
    .option('--anew', 'from the first answer, wherever an earlier one was ended')
    .action(perform<SweepFlags>(sweep));
}
