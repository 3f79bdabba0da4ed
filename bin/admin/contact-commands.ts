/** `contacts list|handle|sweep`. */

import { type Command, Option } from 'commander';
import { contactSweep, contacts } from '../../functions/runtime/compose.ts';
import { formatCount } from '../../pages/results/figures.ts';
import { handleContactInput } from '../../shared/contract/contact-schemas.ts';
import { CONTACT_STATES } from '../../shared/domain/answers/contact.ts';
import { goneAnswers } from '../../shared/domain/gone-answers.ts';
import { failure } from './admin-error.ts';
import { askContacts, type ContactQuestion } from './ask-contacts.ts';
import { type Perform, type Report, requireProject } from './command.ts';
import { parseLimit } from './results/commands.ts';
import { check } from './results/query.ts';
import type { Session } from './session.ts';
import { columns } from './terminal.ts';

/** Who sees to wishes on the command line, in place of a key. */
const BY_OPERATOR = 'operator';

const DEFAULT_CONTACTS = 50;

interface HandleFlags {
  readonly project: string;
  readonly note?: string;
  readonly open?: true;
}

async function list(
  session: Session,
  flags: ContactQuestion,
  [slug = '']: readonly string[],
): Promise<Report> {
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
    .action(perform<ContactQuestion>(list));

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
