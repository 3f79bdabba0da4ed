import { type Command, Option } from 'commander';
import { contactSweep, contacts } from '../../functions/runtime/parts/contacts.ts';
import { formatCount } from '../../pages/results/figures.ts';
import { handleContactInput } from '../../shared/contract/contact-schemas.ts';
import { CONTACT_STATES } from '../../shared/domain/answers/contact.ts';
import { goneAnswers } from '../../shared/domain/gone-answers.ts';
import { failure } from './admin-error.ts';
import { type Perform, projectCommand, type Report } from './command.ts';
import { parseLimit } from './results/commands.ts';
import { askContacts, type ContactFlags, check } from './results/query.ts';
import type { Session } from './session.ts';
import { columns, timeText } from './terminal.ts';

const BY_OPERATOR = 'operator';

const DEFAULT_CONTACTS = 50;

interface HandleFlags {
  readonly project: string;
  readonly note?: string;
  readonly open?: true;
}

async function list(session: Session, flags: ContactFlags, [slug = '']: readonly string[]): Promise<Report> {
  const reply = await askContacts(session, flags, slug);
  const rows = reply.contacts.map(
    ({ id, at, survey, rating, choice, respondentId, contact, handled, text }) => [
      timeText(at),
      survey.slug,
      choice ?? String(rating),
      contact ?? respondentId,
      timeText(handled?.at) || 'open',
      handled?.note ?? '',
      text ?? '',
      id,
    ],
  );
  const more =
    reply.nextCursor === undefined ? '' : `\nThere may be more. Continue with --cursor ${reply.nextCursor}`;
  const heads = ['AT', 'SURVEY', 'RATING', 'WHOM', 'HANDLED', 'NOTE', 'TEXT', 'ID'];
  const table = rows.length === 0 ? 'No contacts found.' : columns(heads, rows, session.terminal);
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
    throw failure(`Project ${project} has no answer ${id} whose author asked to be contacted.`);
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
    text: `Checked ${formatCount(rows)} answers: ${formatCount(asking)} ask to be contacted, ${formatCount(changed)} corrected.`,
  };
}

export function addContactCommands(program: Command, perform: Perform): void {
  const contact = program.command('contacts').description('people who asked to be contacted');

  projectCommand(contact, 'list [slug]', 'list contacts, newest first; defaults to all surveys')
    .addOption(
      new Option('--state <state>', 'open, handled, or all')
        .choices([...CONTACT_STATES, 'all'])
        .default('open'),
    )
    .option('--from <day>', 'first day (UTC), such as 2026-11-20')
    .option('--to <day>', 'last day (UTC), inclusive')
    .addOption(
      new Option('--limit <count>', 'maximum number of contacts')
        .argParser(parseLimit)
        .default(DEFAULT_CONTACTS),
    )
    .option('--cursor <cursor>', 'cursor that an earlier list printed')
    .action(perform(list));

  projectCommand(contact, 'handle', 'mark a contact as handled')
    .argument('<id>', 'ID of the answer')
    .option('--note <text>', 'note for colleagues, up to 500 characters')
    .option('--open', 'reopen the contact')
    .action(perform(handle));

  projectCommand(contact, 'sweep', 'add older answers to the contact list; resumes an interrupted run')
    .option('--anew', 'start from the first answer instead of resuming')
    .action(perform(sweep));
}
