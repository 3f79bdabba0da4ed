import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { type Document, isSeq, parseDocument } from 'yaml';
import {
  TEMPLATES,
  type Template,
  type TemplateName,
} from '../../../shared/domain/surveys/templates/templates.ts';
import {
  surveyFromTemplate,
  TEMPLATE_LANGUAGES,
} from '../../../shared/domain/surveys/templates/translated-template.ts';
import { misuse } from '../admin-error.ts';
import type { Alone, PerformAlone, Report } from '../command.ts';
import { columns } from '../terminal.ts';
import { surveyGroup } from './commands.ts';
import { LAYOUT, writeFile } from './pull.ts';
import { readSurveyFile } from './read-survey-file.ts';

interface NewFlags {
  readonly template?: TemplateName;
  readonly language: string;
  readonly slug?: string;
  readonly file?: string;
}

function listTemplates({ terminal }: Alone): Report {
  const templates = Object.entries<Template>(TEMPLATES).map(([template, { name, advice, survey }]) => ({
    ...{ template, name, advice },
    ...{ type: survey.type, slug: survey.slug },
  }));
  const rows = templates.map(({ template, type, name }) => [template, type, name]);
  return { json: templates, text: columns(['TEMPLATE', 'TYPE', 'NAME'], rows, terminal) };
}

function languagesOf(text: string): string[] {
  const languages = [...new Set(text.split(',').map((each) => each.trim()))];
  const unknown = languages.find((each) => !TEMPLATE_LANGUAGES.includes(each));
  if (unknown !== undefined)
    throw misuse(`--language: ${unknown} is not one of ${TEMPLATE_LANGUAGES.join(', ')}.`);
  return languages;
}

function openFile(file: string, slug: string): Document {
  if (!existsSync(file)) return parseDocument('surveys: []');
  const { document, surveys } = readSurveyFile(file);
  if (surveys.some(({ content }) => content.slug === slug))
    throw misuse(`${file} already has a survey ${slug}. Name the new one with --slug.`);
  return document;
}

/** Adds the survey to a file as a draft, and keeps the rest of the file. */
async function create(context: Alone, { template, language, slug, file }: NewFlags): Promise<Report> {
  if (template === undefined) return listTemplates(context);
  const { slug: usual, ...others } = await surveyFromTemplate(template, languagesOf(language));
  const survey = { slug: slug ?? usual, ...others };
  const document = file === undefined ? parseDocument('surveys: []') : openFile(file, survey.slug);
  const list = document.get('surveys', true);
  if (!isSeq(list)) throw misuse(`${file}: surveys: must be a list`);
  list.flow = false;
  const node = document.createNode(survey, { aliasDuplicateObjects: false });
  const { advice }: Template = TEMPLATES[template];
  node.commentBefore = advice.replace(/(.{1,100})(?:\s|$)/g, ' $1\n').trimEnd();
  list.add(node);
  if (file === undefined) return { json: survey, text: document.toString(LAYOUT).trimEnd() };
  const text = /\.json$/i.test(file)
    ? `${JSON.stringify(document.toJS(), undefined, 2)}\n`
    : document.toString(LAYOUT);
  writeFile(file, text);
  return {
    json: { file, ...survey },
    text: `Added ${survey.slug} to ${file} as a draft. ${advice}`,
  };
}

export function addSurveyNewCommand(program: Command, perform: PerformAlone): void {
  surveyGroup(program)
    .command('new')
    .description('start a survey from a template, or list the templates; needs no deployment')
    .addOption(new Option('--template <name>', 'template').choices(Object.keys(TEMPLATES)))
    .addOption(
      new Option(
        '--language <codes>',
        'languages, such as de,en; the first is the language of the survey',
      ).default('en'),
    )
    .addOption(new Option('--slug <slug>', 'slug of the survey; the default is that of the template'))
    .addOption(new Option('-f, --file <file>', 'survey file that receives the survey, YAML or JSON'))
    .action(perform(create));
}
