/** Reports every problem of a YAML or JSON file with line and column. */

import { readFileSync } from 'node:fs';
import {
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
} from 'yaml';
import { surveyFile, toDraft } from '../../../shared/contract/survey-file.ts';
import {
  explain,
  isReserved,
  MOST_LEVELS,
  NESTED_TOO_DEEP,
  type Path,
  problemsOf,
  problemText,
  reservedKey,
  type Problem as SurveyProblem,
} from '../../../shared/contract/survey-file-problems.ts';
import type { SurveyDraft } from '../../../shared/domain/surveys/survey-plan.ts';
import { misuse } from '../admin-error.ts';

type Document = ReturnType<typeof parseDocument>;

interface Problem {
  readonly offset: number;
  readonly message: string;
}

export interface SurveyFile {
  readonly surveys: SurveyDraft[];
  readonly pulled: { readonly project: string; readonly revision: number } | undefined;
  readonly document: Document;
  /** Lines with positions. */
  readonly warnings: readonly string[];
  /** Writes a problem of a value with its position. */
  readonly locate: (path: Path, message: string) => string;
}

export function readSurveyFile(file: string): SurveyFile {
  const lines = new LineCounter();
  const document = parseDocument(readText(file), { lineCounter: lines, prettyErrors: false });
  const list = (problems: readonly Problem[]) =>
    [...problems]
      .sort((a, b) => a.offset - b.offset)
      .map(({ offset, message }) => {
        const { line, col } = lines.linePos(offset);
        return `${file}:${line}:${col}: ${message}`;
      });
  const refuse = (problems: readonly Problem[]) => misuse(...list(problems));
  const reserved = reservedKeys(document, file);
  const broken = document.errors.map(({ pos, message }) => ({ offset: pos[0], message }));
  // Despite a duplicate key, the rest of the file can be read.
  if (document.errors.some(({ code }) => code !== 'DUPLICATE_KEY')) throw refuse(broken);

  const parsed = surveyFile.safeParse(unfoldAliases(document, file), { error: explain });
  const unfit = parsed.success
    ? []
    : parsed.error.issues.flatMap(problemsOf).map((problem) => placed(problem, document));
  const named = new Set(reserved.map(({ offset }) => offset));
  const wrong = [...reserved, ...unfit.filter(({ offset }) => !named.has(offset))];
  if (broken.length + wrong.length > 0 || !parsed.success) throw refuse([...broken, ...wrong]);
  const { surveys, pulled } = parsed.data;
  const locate = (path: Path, message: string): string =>
    list([placed({ path, isKey: false, message }, document)]).join('');
  return { surveys: surveys.map(toDraft), pulled, document, warnings: list(misreadValues(document)), locate };
}

const ORDERED: readonly unknown[] = ['gt', 'gte', 'lt', 'lte'];

/** Finds numbers that may be codes: YAML reads 01234 as 1234, which never equals a trait "01234". */
function misreadValues(document: Document): Problem[] {
  const found: Problem[] = [];
  visit(document, {
    Scalar(place, { value, source, range }, path) {
      const isRead = typeof value === 'number' || typeof value === 'boolean';
      const written = typeof value === 'boolean' ? source?.toLowerCase() : source;
      if (!isRead || place === 'key' || written === undefined || written === String(value)) return;
      const names = path.map((node) => (isPair(node) && isScalar(node.key) ? node.key.value : undefined));
      const isOrdered = path.some((node) => isMap(node) && ORDERED.includes(node.get('op')));
      if (
        isOrdered ||
        !(names.includes('segments') || (names.includes('targeting') && names.includes('value')))
      )
        return;
      const message = `${source} is read as ${value}. If the page passes it as text, write it in quotes: "${source}".`;
      found.push({ offset: range?.[0] ?? 0, message });
    },
  });
  return found;
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

/** The parser limits the expansion of aliases. Cycles fail, because JSON cannot contain them. */
function unfoldAliases(document: Document, file: string): unknown {
  try {
    const content: unknown = document.toJS();
    JSON.stringify(content);
    return content;
  } catch (error) {
    if (error instanceof RangeError) throw nestedTooDeep(file);
    const reason =
      error instanceof ReferenceError ? error.message : 'an alias refers to a node that contains it';
    throw misuse(`${file}: ${reason}.`);
  }
}

const nestedTooDeep = (file: string) => misuse(`${file}: ${NESTED_TOO_DEEP}.`);

function reservedKeys(document: Document, file: string): Problem[] {
  const tooDeep = nestedTooDeep(file);
  if (document.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) throw tooDeep;
  const found: Problem[] = [];
  const waiting: { readonly node: unknown; readonly path: Path }[] = [{ node: document.contents, path: [] }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, path } = next;
    if (!isCollection(node)) continue;
    if (path.length >= MOST_LEVELS) throw tooDeep;
    for (const [index, item] of node.items.entries()) {
      if (!isPair(item)) {
        waiting.push({ node: item, path: [...path, index] });
        continue;
      }
      const named = isAlias(item.key) ? item.key.resolve(document) : item.key;
      const key = isScalar(named) ? named.value : undefined;
      const place = [...path, String(key)];
      waiting.push({ node: item.key, path: place }, { node: item.value, path: place });
      if (isReserved(key) && isNode(item.key)) {
        found.push({ offset: item.key.range?.[0] ?? 0, message: problemText(reservedKey(place)) });
      }
    }
  }
  return found;
}

function placed({ path, isKey, message }: SurveyProblem, document: Document): Problem {
  const offset = isKey
    ? findKeyOffset(document, path.slice(0, -1), String(path.at(-1)))
    : findOffset(document, path);
  return { offset, message: problemText({ path, message }) };
}

function findOffset(document: Document, path: Path): number {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function findKeyOffset(document: Document, path: Path, key: string): number {
  const map = path.length === 0 ? document.contents : document.getIn(path, true);
  const pair = isMap(map)
    ? map.items.find((item) => isScalar(item.key) && String(item.key.value) === key)
    : null;
  return (isScalar(pair?.key) ? pair.key.range?.[0] : undefined) ?? findOffset(document, path);
}
