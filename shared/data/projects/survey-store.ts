/**
 * Writes that were planned for an older version are refused. This keeps slugs unique and limits the number of surveys.
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
import { contentAttributes, segmentRows, surveyItem } from './project-item.ts';
import { changeItem, readChange, readSurveySet } from './survey-change-item.ts';

export interface SurveyChanges {
  readonly created: readonly Survey[];
  readonly updated: readonly Survey[];
  /** If absent, the order does not change. */
  readonly order?: readonly string[] | undefined;
}

export interface NotedChange {
  readonly note: ChangeNote;
  readonly surveys: readonly ChangedSurvey[];
  /** False if new surveys were only appended. */
  readonly isReordered: boolean;
}

/** A new survey takes two items; the project and the log take one each. */
export const SURVEYS_AT_ONCE = Math.floor((ITEMS_PER_TRANSACTION - 2) / 2);

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
  const { id, limits, repeat, segments, reasonCodes, retention, changed } = survey;
  const { startsAt = null, endsAt = null, endWritten = null } = survey;
  const written = contentAttributes(survey);
  // Counted values are never removed: undeclared segments become retired, and codes stay.
  const optional = { repeat: repeat ?? null, startsAt, endsAt, endWritten };
  const set = {
    // In an older row, it would change the meaning of the new status.
    activeByConditions: null,
    ...written,
    added: written.added ?? null,
    typed: written.typed ?? null,
    questions: written.questions ?? null,
    limits,
    ...optional,
    segments: segmentRows(segments),
    reasonCodes,
    retention,
    changed,
  };
  return { update: surveyKey(projectId, id), change: { set }, when: CHANGEABLE };
}

/** At revision 0, no surveys have been written yet. */
function isAt(revision: number | undefined): Condition {
  if (revision === undefined) return CHANGEABLE;
  if (revision === 0) return all(CHANGEABLE, { text: 'attribute_not_exists(#surveysVersion)' });
  return all(CHANGEABLE, { text: '#surveysVersion = :version', values: { version: revision } });
}

function marksOf({ source, by, at }: ChangeNote, revision: number) {
  const mark = { by, at, revision: revision + 1 };
  return {
    ofSet: { ...mark, source: source ?? 'apply' } satisfies SurveyMark,
    ofSurvey: ({ changed }: Survey): SurveyMark => ({
      ...mark,
      source: source ?? changed?.source ?? 'apply',
    }),
  };
}

const newestFirst = (rows: readonly Row[]): SurveySetChange[] =>
  rows
    .map(readChange)
    .map(({ projectId: _, ...change }) => change)
    .sort((a, b) => b.revision - a.revision);

export function createSurveyStore(table: Table) {
  return {
    async revision(projectId: string): Promise<number | undefined> {
      const row = await table.get(projectKey(projectId));
      return row === undefined || row.purgedAt !== undefined ? undefined : readSurveySet(row).version;
    },

    /**
     * Writes one transaction of at most `SURVEYS_AT_ONCE`.
     * @param revision if absent, any revision is accepted
     * @param noted if absent, nothing is logged
     * @returns false if another writer changed the surveys or the project no longer exists
     */
    async write(
      projectId: string,
      changes: SurveyChanges,
      revision?: number,
      noted?: NotedChange,
    ): Promise<boolean> {
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

    /** Newest first. */
    async log(projectId: string): Promise<SurveySetChange[]> {
      const rows = await table.query({ partition: resultsPartition(projectId), prefix: SURVEY_CHANGES });
      return newestFirst(rows).slice(0, CHANGES_KEPT);
    },

    async latest(projectId: string, revision: number): Promise<SurveySetChange[]> {
      const revisions = Array.from({ length: CHANGES_SHOWN }, (_, back) => revision - back);
      const rows = await table.getMany(
        revisions.filter((each) => each > 0).map((each) => surveyChangeKey(projectId, each)),
      );
      const found = newestFirst(rows.filter((row) => row !== undefined));
      // Older releases did not log changes, so a slot may hold one from fifty revisions earlier.
      return found.filter((change) => revisions.includes(change.revision));
    },
  };
}

export type SurveyStore = ReturnType<typeof createSurveyStore>;
