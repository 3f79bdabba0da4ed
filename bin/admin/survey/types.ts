import { writeFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { type SurveyContent, TYPES } from '../../../shared/domain/surveys/survey.ts';
import { type Alone, type PerformAlone, type Report, requireOptions } from '../command.ts';
import { assertReplaceable } from '../results/output-file.ts';
import { readSurveyFile } from './read-survey-file.ts';

interface TypesFlags {
  readonly file: string;
  readonly output: string;
}

const literal = (text: string): string => JSON.stringify(text);

function entryOf({ slug, type, question, reasons = [] }: SurveyContent): string {
  const codes = reasons.map(({ code }) => literal(code)).join(' | ') || 'never';
  const { min, max } = TYPES[type].scale;
  return [
    `  /** ${question.replaceAll('*/', '*\u2215').replaceAll(/\s+/g, ' ')} (${min} to ${max}) */`,
    `  ${literal(slug)}: { readonly type: ${literal(type)}; readonly reasons: ${codes} };`,
  ].join('\n');
}

export const typesOf = (surveys: readonly SurveyContent[]): string =>
  [
    '/** Surveys by slug. Generated from the survey file by `canvass survey types`. */',
    ...(surveys.length === 0
      ? ['export type Surveys = Record<never, never>;']
      : ['export type Surveys = {', ...surveys.map(entryOf), '};']),
    '',
  ].join('\n');

async function write(_: Alone, { file, output }: TypesFlags): Promise<Report> {
  assertReplaceable(output);
  const surveys = readSurveyFile(file).surveys.map(({ content }) => content);
  writeFileSync(output, typesOf(surveys));
  const slugs = surveys.map(({ slug }) => slug);
  return { json: { output, slugs }, text: `Wrote ${slugs.length} surveys to ${output}.` };
}

export function addSurveyTypesCommand(program: Command, perform: PerformAlone): void {
  const survey = program.commands.find((command) => command.name() === 'survey');
  if (survey === undefined) throw new Error('the commands of surveys come first');
  requireOptions(
    survey
      .command('types')
      .description('write slugs, types and reasons of a survey file as TypeScript; needs no deployment'),
    new Option('-f, --file <file>', 'survey file, YAML or JSON'),
    new Option('-o, --output <file>', 'file to write, such as surveys.d.ts'),
  ).action(perform(write));
}
