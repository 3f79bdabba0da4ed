import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type Document, isMap, isSeq, type Node, parseDocument, visit } from 'yaml';
import type { ProjectRecord } from '../../../shared/data/projects/project-record.ts';
import type { Survey } from '../../../shared/domain/surveys/survey.ts';
import { planSurveys, type SurveyDraft } from '../../../shared/domain/surveys/survey-plan.ts';
import { inSaidOrder } from '../../../shared/domain/surveys/survey-rules.ts';
import { writeSurvey } from '../../../shared/domain/surveys/written-survey.ts';
import { misuse } from '../admin-error.ts';
import type { Report } from '../command.ts';
import type { Session } from '../session.ts';
import { readSurveyFile } from './read-survey-file.ts';

interface PullFlags {
  readonly project: string;
  readonly file: string;
}

const isJson = (file: string): boolean => /\.json$/i.test(file);

function sameIn(surveys: readonly Survey[], drafts: readonly SurveyDraft[]): ReadonlySet<string> {
  const { unchanged } = planSurveys(surveys, drafts, { prune: false });
  return new Set(unchanged.map(({ content }) => content.slug));
}

function nodesOf(document: Document, drafts: readonly SurveyDraft[]): ReadonlyMap<string, Node> {
  const list = document.get('surveys', true);
  const nodes = isSeq<Node>(list) ? list.items : [];
  return new Map(
    drafts.flatMap(({ content }, index) => {
      const node = nodes[index];
      return isMap(node) ? [[content.slug, node] as const] : [];
    }),
  );
}

/** Aliases may point into rewritten surveys. */
function hasAliases(document: Document): boolean {
  let found = false;
  visit(document, {
    Alias() {
      found = true;
      return visit.BREAK;
    },
  });
  return found;
}

/** Folded lines would appear as differences. */
export const LAYOUT = { lineWidth: 0 } as const;

export function writeFile(file: string, text: string): void {
  const beside = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(beside, text);
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw misuse(`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** The surveys in `dropped` are in the file but not in the project. */
function pullInto(file: string, record: ProjectRecord) {
  const surveys = inSaidOrder(record);
  const pulled = { project: record.project.id, revision: record.surveysVersion };
  const before = existsSync(file) ? readSurveyFile(file) : undefined;
  const drafts = before?.surveys ?? [];
  const same = sameIn(surveys, drafts);
  const slugs = surveys.map(({ content }) => content.slug);
  const counts = {
    changed: slugs.filter((slug) => !same.has(slug)),
    kept: slugs.filter((slug) => same.has(slug)),
    dropped: drafts.map(({ content }) => content.slug).filter((slug) => !slugs.includes(slug)),
  };
  if (isJson(file)) {
    const text = JSON.stringify({ pulled, surveys: surveys.map(writeSurvey) }, undefined, 2);
    return { ...counts, text: `${text}\n` };
  }
  const document: Document = before?.document ?? parseDocument('surveys: []');
  const nodes = nodesOf(document, drafts);
  const isShared = hasAliases(document);
  const list = document.get('surveys', true);
  if (!isSeq(list)) throw misuse(`${file}: surveys: must be a list`);
  list.flow = false;
  list.items = surveys.map((survey) => {
    const { slug } = survey.content;
    const node = same.has(slug) && !isShared ? nodes.get(slug) : undefined;
    return node ?? document.createNode(writeSurvey(survey), { aliasDuplicateObjects: false });
  });
  document.set('pulled', document.createNode(pulled, { flow: true }));
  return { ...counts, text: document.toString(LAYOUT) };
}

export async function pullSurveys(session: Session, { project, file }: PullFlags): Promise<Report> {
  const { text, ...counts } = pullInto(file, await session.record(project));
  writeFile(file, text);
  const { changed, kept, dropped } = counts;
  const said =
    dropped.length === 0
      ? ''
      : `\nRemoved from the file, because the project does not have them: ${dropped.join(', ')}.`;
  return {
    json: counts,
    text: `${file}: ${changed.length} written, ${kept.length} unchanged.${said}`,
  };
}
