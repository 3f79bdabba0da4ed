import { importedRespondentId, respondentHash } from '../../crypto/derive.ts';
import { importTokenId, locateResponse, responseId } from '../../crypto/ids.ts';
import type { Response } from '../../domain/answers/answer.ts';
import { redactAnswer } from '../../domain/answers/answer.ts';
import { fieldsIn, pickFields } from '../../domain/answers/answer-fields.ts';
import { redactText } from '../../domain/answers/redaction.ts';
import type { ImportedRow } from '../../domain/import/import-row.ts';
import { isGone } from '../../domain/retention.ts';
import { ABSENT, all, type Change, equalTo, PRESENT } from '../table/expressions.ts';
import { type Row, tombstoneItem } from '../table/row.ts';
import { answerKey, type Key, projectShardEntry, shardOf, suppressionKey } from '../table/schema.ts';
import type { PersonDependencies, Write } from '../table/table.ts';
import { answerItem, readAnswer, writeFields } from './answer-item.ts';
import { newsOf, superfluousIn } from './retained.ts';
import { readSuppression, removal, type Suppression, suppressionChange } from './suppression-item.ts';

/** `completed`: an earlier import stored the line without its text, time or some answers. */
export type ImportOutcome =
  | 'imported'
  | 'redacted'
  | 'completed'
  | 'completed and redacted'
  | 'known'
  | 'erased'
  | 'expired';

/** A transaction has at most 100 items: three for a line of a person with two ids. */
export const LINES_AT_ONCE = 25;

export interface ImportedLine {
  readonly row: ImportedRow;
  /** Forms under which an earlier import may have stored the line. */
  readonly earlier: readonly ImportedRow[];
}

/** Folding a history creates the item without this attribute. */
const NOT_ERASED = { text: 'attribute_not_exists(#erasedAt)' };

interface ImportTarget {
  readonly projectId: string;
  readonly surveyId: string;
  readonly isBeside?: boolean | undefined;
  readonly redact?: boolean | undefined;
  /** Answers before this UTC day are not stored. */
  readonly completeFrom?: string | undefined;
}

/** `isEarlier`: the row has the id of an earlier form of the line. */
interface Stored {
  readonly row: Row;
  readonly isEarlier: boolean;
}

/** The attributes of a stored answer that decide what a line adds to it. */
const DECIDING = 'type source rating text answers at storedAt revision withdrawn importedAs'.split(' ');
const isUnchanged = (row: Row) => equalTo(Object.fromEntries(DECIDING.map((name) => [name, row[name]])));

/** Undefined if the line adds none. */
function completeAnswers(stored: Row, { answers = [] }: Response): Response['answers'] {
  const before = readAnswer(stored);
  const known = before?.kind === 'response' ? (before.answers ?? []) : [];
  const reached = new Set(known.flatMap(({ id, value }) => (value === undefined ? [] : [id])));
  const added = answers.filter(({ id, value }) => value !== undefined && !reached.has(id));
  if (added.length === 0) return undefined;
  const kept = known.filter(({ id }) => added.every((each) => each.id !== id));
  return [...kept, ...added].sort((a, b) => a.place - b.place);
}

/**
 * What the line adds to the stored answer. Revisions, withdrawals and deletions are final. An answer that was imported
 * without a time has the time of its import.
 */
function missingIn(
  { row: stored, isEarlier }: Stored,
  response: Response,
  row: ImportedRow,
): Readonly<Partial<Pick<Response, 'text' | 'answers' | 'at'>>> | undefined {
  const { type, source, revision, withdrawn, rating, text, at, storedAt, importedAs } = stored;
  const isUntouched = revision === undefined && withdrawn === undefined && rating === response.rating;
  if (type !== 'response' || source !== 'import' || !isUntouched) return undefined;
  const isUntimed = row.at !== undefined && at === storedAt && response.at < String(at);
  const answers = completeAnswers(stored, response);
  const missing = {
    ...(answers !== undefined && { answers }),
    ...(text === undefined && response.text !== undefined && { text: response.text }),
    ...(isUntimed && { at: response.at }),
  };
  const isClaimed = !isEarlier || importedAs === response.tokenId;
  return isClaimed && Object.keys(missing).length === 0 ? undefined : missing;
}

export function createImportStore({ table, secrets, shards }: PersonDependencies) {
  async function readTidied(key: Key, now: number): Promise<Suppression | undefined> {
    const row = await table.get(key);
    const read = row && readSuppression(row);
    const superfluous = read && superfluousIn(read, now);
    if (superfluous !== undefined)
      await table.transact([{ update: key, change: removal(superfluous), when: all(PRESENT, NOT_ERASED) }]);
    return read;
  }

  /**
   * A row of an earlier form belongs to the line that claimed it (`importedAs`), so two lines never complete one answer.
   * @param own ids of the line itself
   * @param earlier ids of its earlier forms
   */
  async function findStored(
    { projectId, surveyId }: Pick<ImportTarget, 'projectId' | 'surveyId'>,
    at: string | undefined,
    hash: string,
    own: readonly string[],
    earlier: readonly string[],
  ): Promise<Stored | undefined> {
    const mine = new Set(own).size;
    const ids = [...new Set([...own, ...earlier])];
    const rows = await table.getMany(ids.map((id) => answerKey(projectId, hash, id)));
    const exact = rows.slice(0, mine).find((row) => isOf(row, surveyId));
    if (exact !== undefined) return { row: exact, isEarlier: false };
    // The own ids can name an answer to another survey.
    const row = rows.slice(mine).find((found) => {
      if (found?.importedAs !== undefined) return ids.includes(String(found.importedAs));
      // Nobody answers after the import of the answer.
      return found?.at !== undefined && (at === undefined || at <= String(found.at));
    });
    return row && { row, isEarlier: true };
  }

  /**
   * Undefined if the row has changed meanwhile. A new time is stored as a new answer's: a recount that has passed the
   * old place counts it by `storedAt`. The suppression keeps the old time, so nobody is asked too early.
   */
  async function complete(
    { row, isEarlier }: Stored,
    { projectId, surveyId, tokenId }: Response,
    missing: NonNullable<ReturnType<typeof missingIn>>,
    unlessErased: readonly { readonly check: Key; readonly when: typeof NOT_ERASED }[],
    now: number,
  ): Promise<'completed' | 'known' | 'erased' | undefined> {
    const shard = shardOf(String(row.tokenId), shards);
    const moved = missing.at !== undefined && {
      ...projectShardEntry(projectId, shard, {
        surveyId: String(row.surveyId ?? surveyId),
        at: missing.at,
        id: String(row.id),
      }),
      storedAt: new Date(now).toISOString(),
    };
    const answers = missing.answers && writeFields(['answers'], missing);
    const written = await table.transact([
      {
        update: { pk: String(row.pk), sk: String(row.sk) },
        change: { set: { ...missing, ...answers, ...moved, ...(isEarlier && { importedAs: tokenId }) } },
        when: isUnchanged(row),
      },
      ...unlessErased,
    ]);
    if (!written.done) return written.failed.has(0) ? undefined : 'erased';
    return Object.keys(missing).length === 0 ? 'known' : 'completed';
  }

  /** The original line gives the ids, because the redaction setting may have changed. */
  async function prepare(
    { projectId, surveyId, redact = false }: ImportTarget,
    line: ImportedLine,
    now: number,
  ) {
    const { row, earlier } = line;
    const secret = await secrets.hashSecret();
    const ids = new Set<string>();
    if (row.respondentId !== undefined) ids.add(row.respondentId);
    if (row.email !== undefined) ids.add(importedRespondentId(secret, projectId, row.email));
    const [respondentId = ''] = ids;
    const [hash = '', ...others] = [...ids].map((id) => respondentHash(secret, projectId, id));
    const tokenOf = (form: ImportedRow) => importTokenId(secret, { projectId, surveyId, respondentId }, form);
    const tokenId = tokenOf(row);
    const located = locateResponse(secret, projectId, row.id ?? '');
    const own = [tokenId, ...(located?.respondentHash === hash ? [located.tokenId] : [])];
    const { said, redacted } = redactAnswer(row, redact ? redactText : undefined);
    const response: Response = {
      kind: 'response',
      id: responseId(secret, projectId, { tokenId, respondentHash: hash }),
      tokenId,
      projectId,
      surveyId,
      respondentId,
      at: new Date(row.at ?? now).toISOString(),
      writeId: 'import',
      tokenExpiresAt: 0,
      source: 'import',
      ...pickFields(fieldsIn('import'), said),
      attested: {},
      claimed: {},
    };
    return { row, response, redacted, hash, others, own, earlier: earlier.map(tokenOf) };
  }

  type Prepared = Awaited<ReturnType<typeof prepare>>;

  const othersOf = ({ response: { projectId }, others }: Prepared) =>
    others.map((person) => ({ check: suppressionKey(projectId, person), when: NOT_ERASED }));

  function foldOf({ response, hash }: Prepared, before: Suppression | undefined, now: number): Change {
    const { projectId, surveyId, tokenId, at } = response;
    const past = { surveyId, time: { at: Date.parse(at), tokenId, kind: 'response' } } as const;
    return suppressionChange({ projectId, respondentHash: hash, shards }, newsOf(past, before, now));
  }

  /** @param remembered writes or checks the suppression */
  const writesOf = (line: Prepared, isBeside: boolean, remembered: Write, now: number): Write[] => [
    {
      put: {
        ...answerItem(line.response, line.hash, shards),
        storedAt: new Date(now).toISOString(),
        ...(isBeside && { beside: true }),
      },
      when: ABSENT,
    },
    remembered,
    ...othersOf(line),
  ];

  const isOf = (row: Row | undefined, surveyId: string): row is Row =>
    row !== undefined && (row.surveyId ?? surveyId) === surveyId;

  /**
   * Decides in a few calls about lines that are stored and lack nothing, and about new lines of people without a
   * suppression. All other lines are undefined and left to `store`.
   * @param lines at most `LINES_AT_ONCE`
   */
  async function storeMany(
    target: ImportTarget,
    lines: readonly ImportedLine[],
    now: number,
  ): Promise<(ImportOutcome | undefined)[]> {
    const { projectId, surveyId, isBeside = false, completeFrom = '' } = target;
    const prepared = await Promise.all(lines.map((line) => prepare(target, line, now)));
    const peopleOf = ({ hash, others }: Prepared) =>
      [hash, ...others].map((person) => suppressionKey(projectId, person));
    const formsOf = ({ hash, own, earlier }: Prepared) =>
      [...own, ...earlier].map((id) => answerKey(projectId, hash, id));
    const nameOf = ({ pk, sk }: Key) => `${pk} ${sk}`;
    const wanted = prepared.flatMap((line) => [...peopleOf(line), ...formsOf(line)]);
    const keys = [...new Map(wanted.map((key) => [nameOf(key), key])).values()];
    const rows = await table.getMany(keys);
    const found = new Map(keys.map((key, index) => [nameOf(key), rows[index]]));
    const rowOf = (key: Key) => found.get(nameOf(key));
    // A transaction may name an item only once.
    const named = new Set<string>();
    const isNew = (line: Prepared): boolean => {
      const people = peopleOf(line);
      if (isBeside || isGone(line.response.at, completeFrom)) return false;
      if ([...people, ...formsOf(line)].some((key) => rowOf(key) !== undefined)) return false;
      if (people.some((key) => named.has(nameOf(key)))) return false;
      for (const key of people) named.add(nameOf(key));
      return true;
    };
    const fresh = prepared.filter(isNew);
    const writes = fresh.flatMap((line) => {
      const update = suppressionKey(projectId, line.hash);
      return writesOf(line, false, { update, change: foldOf(line, undefined, now), when: ABSENT }, now);
    });
    const isWritten = writes.length > 0 && (await table.transact(writes)).done;
    return prepared.map((line) => {
      const { row, response, redacted, own } = line;
      if (fresh.includes(line)) {
        if (!isWritten) return undefined;
        return redacted.length === 0 ? 'imported' : 'redacted';
      }
      const exact = formsOf(line)
        .slice(0, own.length)
        .map(rowOf)
        .find((each) => isOf(each, surveyId));
      if (exact === undefined || isGone(response.at, completeFrom)) return undefined;
      return missingIn({ row: exact, isEarlier: false }, response, row) === undefined ? 'known' : undefined;
    });
  }

  /**
   * For an expired answer, only the suppression is stored. An earlier copy that has the time of its import is removed, also
   * from the results, as if the line had always had its time.
   * @param now used if the line has no time
   * @param earlier forms under which an earlier import may have stored the line
   */
  async function store(
    target: ImportTarget,
    row: ImportedRow,
    now: number,
    earlier: readonly ImportedRow[] = [],
  ): Promise<ImportOutcome> {
    const { projectId, isBeside = false, completeFrom = '' } = target;
    const line = await prepare(target, { row, earlier }, now);
    const { response, redacted, hash, own } = line;
    const key = suppressionKey(projectId, hash);
    const answeredAt = row.at === undefined ? undefined : response.at;
    // The survey may have had another `repeat` before, so every person can have imported answers.
    const [before, stored] = await Promise.all([
      isBeside ? undefined : readTidied(key, now),
      findStored(target, answeredAt, hash, own, line.earlier),
    ]);
    const missing = stored && missingIn(stored, response, row);
    const remembered = isBeside
      ? { check: key, when: NOT_ERASED }
      : { update: key, change: foldOf(line, before, now), when: NOT_ERASED };
    if (isGone(response.at, completeFrom)) {
      const misdated = missing?.at === undefined ? undefined : stored?.row;
      if (isBeside && misdated === undefined) return 'expired';
      const kept = await table.transact([
        ...(misdated === undefined
          ? []
          : [{ put: tombstoneItem(misdated, now), when: isUnchanged(misdated) }]),
        remembered,
        ...othersOf(line),
      ]);
      if (kept.done) return 'expired';
      return misdated !== undefined && kept.failed.has(0) ? store(target, row, now, earlier) : 'erased';
    }
    if (stored !== undefined) {
      if (missing === undefined) return 'known';
      const unlessErased = [{ check: key, when: NOT_ERASED }, ...othersOf(line)];
      const done = await complete(stored, response, missing, unlessErased, now);
      if (done === undefined) return store(target, row, now, earlier);
      const isRedacted = redacted.some((path) => missing[path === 'text' ? path : 'answers'] !== undefined);
      return done === 'completed' && isRedacted ? 'completed and redacted' : done;
    }
    const written = await table.transact(writesOf(line, isBeside, remembered, now));
    if (written.done) return redacted.length === 0 ? 'imported' : 'redacted';
    return written.failed.size === 1 && written.failed.has(0) ? 'known' : 'erased';
  }

  return { store, storeMany };
}

export type ImportStore = ReturnType<typeof createImportStore>;
