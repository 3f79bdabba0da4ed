import { type Command, InvalidArgumentError, Option } from 'commander';
import { imports } from '../../../functions/runtime/parts/answers.ts';
import { IMPORT_FIELDS, type ImportField } from '../../../shared/domain/import/import-columns.ts';
import type { DateOrder } from '../../../shared/domain/import/import-row.ts';
import { completeFrom } from '../../../shared/domain/project.ts';
import { failure } from '../admin-error.ts';
import { type Perform, type Report, requireProject } from '../command.ts';
import { namedSurvey, type Session } from '../session.ts';
import { importFile } from './import-file.ts';

type ChosenColumns = Readonly<Partial<Record<ImportField, string>>>;

interface ImportFlags {
  readonly project: string;
  readonly survey: string;
  readonly file: string;
  readonly column?: ChosenColumns;
  readonly dates?: DateOrder;
  readonly json?: boolean;
}

const MOST_REJECTED_SHOWN = 20;

function parseColumn(text: string, before: ChosenColumns = {}): ChosenColumns {
  const [, name, heading] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  const field = IMPORT_FIELDS.find((known) => known === name);
  if (field === undefined || heading === undefined) {
    throw new InvalidArgumentError(`Write FIELD=HEADING. The fields are ${IMPORT_FIELDS.join(', ')}.`);
  }
  return { ...before, [field]: heading };
}

async function importAnswers(session: Session, flags: ImportFlags): Promise<Report> {
  const { now, terminal } = session;
  const { project: projectId, survey: slug } = flags;
  const readSurvey = async () => namedSurvey(await session.record(projectId), slug);
  const { project } = await session.record(projectId);
  if (project.probe === true)
    throw failure('The probe project accepts no imports, because its answers are not kept.');
  const survey = await readSurvey();
  let settings = await session.settings(projectId);
  const { redact } = project;
  const target = { projectId, surveyId: survey.id, isBeside: survey.repeat === 'observation', redact };
  const result = await importFile({
    file: flags.file,
    surveyType: survey.content.type,
    columns: flags.column ?? {},
    dateOrder: flags.dates,
    now,
    store: (row) => {
      const first = completeFrom(settings, survey.id, now());
      return imports(session.service).store({ ...target, completeFrom: first }, row, now());
    },
    assertNotPurged: async () => {
      const { id } = await readSurvey();
      settings = await session.settings(projectId);
      if (id !== survey.id) throw failure(`The survey ${slug} is being purged. The import stopped.`);
    },
    onProgress: terminal.progress.show,
  }).finally(terminal.progress.clear);

  const { imported, skipped, expired, rejected, redacted } = result;
  const shown = rejected.slice(0, MOST_REJECTED_SHOWN).map(({ line, message }) => `line ${line} ${message}`);
  if (rejected.length > shown.length)
    shown.push(`and ${rejected.length - shown.length} more (use --json to see all)`);
  const ofThem = redacted === 0 ? '' : ` (${redacted} redacted)`;
  const gone = expired === 0 ? '' : `${expired} past their retention period, `;
  const summary = `${imported} imported${ofThem}, ${skipped} skipped (duplicates or erased people), ${gone}${rejected.length} rejected.`;
  return { json: result, text: [summary, ...shown].join('\n') };
}

export function addImportCommand(program: Command, perform: Perform): void {
  const command = program
    .command('import')
    .description('import answers from a CSV file; answers that were imported before are skipped')
    .option(
      '--column <field=heading>',
      'maps a column whose heading is not recognized; repeatable',
      parseColumn,
    )
    .addOption(
      new Option('--dates <order>', 'order of day and month in dates such as 03/04/2026').choices([
        'mdy',
        'dmy',
      ]),
    );
  requireProject(
    command,
    new Option('--survey <slug>', 'slug of the survey that people answered'),
    new Option('-f, --file <file>', 'the CSV file'),
  ).action(perform<ImportFlags>(importAnswers));
}
