/** Reads a survey file, YAML or JSON; what is wrong with it is one line that names the place. */

import { readFileSync } from 'node:fs';
import { isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import { draftOf, SURVEY_FILE_FIELDS, surveyFile } from '../../shared/contract/survey-file.ts';
import type { SurveyDraft } from '../../shared/domain/survey-plan.ts';
import { misuse } from './admin-error.ts';
import { didYouMean } from './nearest.ts';
import { printable } from './terminal.ts';

type Document = ReturnType<typeof parseDocument>;
type Path = readonly PropertyKey[];
type Issue = NonNullable<ReturnType<typeof surveyFile.safeParse>['error']>['issues'][number];

/** @throws AdminError with exit status 2 */
export function readSurveyFile(file: string): SurveyDraft[] {
  const lines = new LineCounter();
  const document = parseDocument(readText(file), { lineCounter: lines, prettyErrors: false });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  const [syntaxError] = document.errors;
  if (syntaxError !== undefined) throw misuse(`${at(syntaxError.pos[0])}: ${printable(syntaxError.message)}`);

  const parsed = surveyFile.safeParse(contentOf(document, file));
  if (parsed.success) return parsed.data.surveys.map(draftOf);
  const [first, ...others] = faultsOf(parsed.error.issues, document);
  const rest = others.length === 0 ? '' : ` (and ${others.length} more)`;
  throw misuse(`${at(first?.offset ?? 0)}: ${printable(first?.message ?? '')}${rest}`);
}

function readText(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const isEncoding = error instanceof TypeError;
    const reason = isEncoding
      ? 'it is not UTF-8 text'
      : error instanceof Error
        ? error.message
        : String(error);
    throw misuse(`${file} cannot be read: ${reason}.`);
  }
}

/** Aliases that unfold without end are refused by the parser when they are followed. */
function contentOf(document: Document, file: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw misuse(`${file}: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

interface Fault {
  readonly offset: number;
  readonly message: string;
}

/** Misspelt names come first: a field that is missing is often one of them. */
function faultsOf(issues: readonly Issue[], document: Document): Fault[] {
  const isMisspelt = ({ code }: Issue) => code === 'unrecognized_keys';
  const misspelt = issues.filter(isMisspelt).map((issue) => faultOf(issue, document));
  return [
    ...misspelt,
    ...issues.filter((issue) => !isMisspelt(issue)).map((issue) => faultOf(issue, document)),
  ];
}

function faultOf(issue: Issue, document: Document): Fault {
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    const message = `${nameOf([...issue.path, key])} is no field here.${didYouMean(key, SURVEY_FILE_FIELDS)}`;
    return { offset: keyOffset(document, issue.path, key), message };
  }
  const message = `${nameOf(issue.path)}: ${wordsOf(issue, document)}`;
  if (issue.code !== 'invalid_key') return { offset: offsetOf(document, issue.path), message };
  return { offset: keyOffset(document, issue.path.slice(0, -1), String(issue.path.at(-1))), message };
}

function wordsOf(issue: Issue, document: Document): string {
  const written = document.getIn(issue.path);
  if (issue.code === 'invalid_type' && written === undefined) return 'is missing';
  if (issue.code === 'invalid_value' && typeof written === 'string') {
    return `must be one of ${issue.values.join(', ')}.${didYouMean(written, issue.values.map(String))}`;
  }
  return issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
}

/** `surveys[2].limits.quietPeriod` */
function nameOf(path: Path): string {
  const name = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return name === '' ? 'the file' : name.replace(/^\./, '');
}

/** Where the value lies, or the nearest thing around it that is there. */
function offsetOf(document: Document, path: Path): number {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function keyOffset(document: Document, path: Path, key: string): number {
  const map = path.length === 0 ? document.contents : document.getIn(path, true);
  const pair = isMap(map)
    ? map.items.find((item) => isScalar(item.key) && String(item.key.value) === key)
    : null;
  return (isScalar(pair?.key) ? pair.key.range?.[0] : undefined) ?? offsetOf(document, path);
}
