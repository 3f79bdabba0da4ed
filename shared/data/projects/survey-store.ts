/**
 * Surveys, as operators write them. A project's surveys change as one set: each write of them moves the version on
 * the project's item, and one that was planned against an older version writes nothing. That is what keeps
 * slugs unique and the number of surveys bounded.
 */

import type { Survey } from '../../domain/surveys/survey.ts';
import {
  CHANGES_KEPT,
  CHANGES_SHOWN,
  type ChangedSurvey,
  type ChangeNote,
  type SurveyMark,
  type SurveySetChange,
} from '../../domain/surveys/survey-change.ts';
import { ABSENT, all, CHANGEABLE, type Condition } from '../table/expressions.ts';
import type { Row } from '../table/row.ts';
import {
  projectKey,
  resultsPartition,
  SURVEY_CHANGES,
  surveyChangeKey,
  surveyKey,
  surveyTotalKey,
} from '../table/schema.ts';
import { ITEMS_PER_TRANSACTION, type Table, type Write } from '../table/table.ts';
import { segmentRows, surveyItem } from './project-item.ts';
import { changeItem, readChange, readSurveySet } from './survey-change-item.ts';

export interface SurveyChanges {
  readonly created: readonly Survey[];
  readonly updated: readonly Survey[];
  /** Ids of all surveys as the file lists them; absent leaves the order as it is. */
  readonly order?: readonly string[] | undefined;
}

/** What the log tells of a change, and on whose behalf it is made. */
export interface NotedChange {
  readonly note: ChangeNote;
  readonly surveys: readonly ChangedSurvey[];
  /** Whether somebody chose the order, rather than that new surveys came to its end. */
  readonly isReordered: boolean;
}

/** The project's item and the log's are of the transaction, and a new survey takes two. */
export const SURVEYS_AT_ONCE = Math.floor((ITEMS_PER_TRANSACTION - 2) / 2);

export interface SurveyStore {
  /** The revision of a project's surveys; undefined when there is no project to change. One read of its item. */
  revision(projectId: string): Promise<number | undefined>;
  /**
   * Creates surveys with their totals and updates others: at most `SURVEYS_AT_ONCE`, all or nothing.
   * @param revision what the changes were planned against; without it they are written whatever it is
   * @param noted absent: neither noted nor logged, as what a project begins with
   * @returns false when somebody else changed the surveys or the project is gone; nothing was written then
   */
  write(projectId: string, changes: SurveyChanges, revision?: number, noted?: NotedChange): Promise<boolean>;
  /** The last changes, newest first. */
  log(projectId: string): Promise<SurveySetChange[]>;
  /** Of the last `CHANGES_SHOWN` revisions up to this one, newest first: at a cost that the log's length has no part in. */
  latest(projectId: string, revision: number): Promise<SurveySetChange[]>;
}

const creation = (projectId: string, survey: Survey): Write[] => [
  { put: surveyItem(projectId, survey), when: ABSENT },
  {
    put: {
      ...surveyTotalKey(projectId, survey.id),
      type: 'survey-total',
      surveyId: survey.id,
      responses: 0,
    },
    when: ABSENT,
  },
];

function update(projectId: string, survey: Survey): Write {
  const { id, status, content, limits, repeat, startsAt, endsAt, segments, reasonCodes, retention, changed } =
    survey;
  // What counted once is never forgotten: segments that are no longer declared stay as retired ones, codes as they are.
  const optional = { repeat: repeat ?? null, startsAt: startsAt ?? null, endsAt: endsAt ?? null };
  const set = {
    status,
    // An older row would turn this status around.
    activeByConditions: null,
    content,
    limits,
    ...optional,
    segments: segmentRows(segments),
    reasonCodes,
    retention,
    changed,
  };
  return { update: surveyKey(projectId, id), change: { set }, when: CHANGEABLE };
}

/** Revision 0 is a project whose surveys have not been written yet. */
function isAt(revision: number | undefined): Condition {
  if (revision === undefined) return CHANGEABLE;
  if (revision === 0) return all(CHANGEABLE, { text: 'attribute_not_exists(#surveysVersion)' });
  return all(CHANGEABLE, { text: '#surveysVersion = :version', values: { version: revision } });
}

/** What one transaction says of itself, on the project's item and on each survey. */
interface Marks {
  readonly ofSet: SurveyMark;
  readonly ofSurvey: (survey: Survey) => SurveyMark;
}

/** @param revision the one that was planned against */
function marksOf({ source, by, at }: ChangeNote, revision: number): Marks {
  const mark = { by, at, revision: revision + 1 };
  return {
    ofSet: { ...mark, source: source ?? 'apply' },
    ofSurvey: ({ changed }) => ({ ...mark, source: source ?? changed?.source ?? 'apply' }),
  };
}

const newestFirst = (rows: readonly Row[]): SurveySetChange[] =>
  rows
    .map(readChange)
    .map(({ projectId: _, ...change }) => change)
    .sort((a, b) => b.revision - a.revision);

export function createSurveyStore(table: Table): SurveyStore {
  return {
    async revision(projectId) {
      const row = await table.get(projectKey(projectId));
      return row === undefined || row.purgedAt !== undefined ? undefined : readSurveySet(row).version;
    },

    async write(projectId, changes, revision, noted) {
      const marks = noted && marksOf(noted.note, revision ?? 0);
      const marked = (survey: Survey): Survey =>
        marks === undefined ? survey : { ...survey, changed: marks.ofSurvey(survey) };
      const [created, updated] = [changes.created.map(marked), changes.updated.map(marked)];
      const ids = [...created, ...updated].map(({ id }) => id);
      const { isReordered = false, surveys = [] } = noted ?? {};
      const set = {
        surveyOrder: changes.order,
        surveysChanged: marks && { ...marks.ofSet, ids },
        surveyOrderChanged: isReordered ? marks?.ofSet : undefined,
      };
      const log = marks && changeItem(projectId, { ...marks.ofSet, surveys, isReordered });
      const written = await table.transact([
        { update: projectKey(projectId), change: { add: { surveysVersion: 1 }, set }, when: isAt(revision) },
        ...(log === undefined ? [] : [{ put: log }]),
        ...created.flatMap((survey) => creation(projectId, survey)),
        ...updated.map((survey) => update(projectId, survey)),
      ]);
      return written.done;
    },

    async log(projectId) {
      const rows = await table.query({ partition: resultsPartition(projectId), prefix: SURVEY_CHANGES });
      return newestFirst(rows).slice(0, CHANGES_KEPT);
    },

    async latest(projectId, revision) {
      const revisions = Array.from({ length: CHANGES_SHOWN }, (_, back) => revision - back);
      const rows = await table.getMany(
        revisions.filter((each) => each > 0).map((each) => surveyChangeKey(projectId, each)),
      );
      const found = newestFirst(rows.filter((row) => row !== undefined));
      // A slot may hold a change of fifty revisions ago: older releases did not note changes.
      return found.filter((change) => revisions.includes(change.revision));
    },
  };
}
