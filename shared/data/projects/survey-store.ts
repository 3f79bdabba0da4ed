/**
 * Surveys, as operators write them. A project's surveys change as one set: each write of them moves the version on
 * the project's item, and one that was planned against an older version writes nothing. That is what keeps
 * slugs unique and the number of surveys bounded.
 */

import type { Survey, SurveyStatus } from '../../domain/surveys/survey.ts';
import { ABSENT, all, CHANGEABLE, type Condition } from '../table/expressions.ts';
import { projectKey, surveyKey, surveyTotalKey } from '../table/schema.ts';
import { ITEMS_PER_TRANSACTION, type Table, type Write } from '../table/table.ts';
import { readSurvey, segmentRows, surveyItem } from './project-item.ts';

export interface SurveyChanges {
  readonly created: readonly Survey[];
  readonly updated: readonly Survey[];
  /** Ids of all surveys as the file lists them; absent leaves the order as it is. */
  readonly order?: readonly string[] | undefined;
}

/** The project's item is one of the transaction, and a new survey takes two. */
export const SURVEYS_AT_ONCE = Math.floor((ITEMS_PER_TRANSACTION - 1) / 2);

export interface SurveyStore {
  /**
   * Creates surveys with their totals and updates others: at most `SURVEYS_AT_ONCE`, all or nothing.
   * @param version what the changes were planned against; without it they are written whatever the version is
   * @returns false when somebody else changed the surveys or the project is gone; nothing was written then
   */
  write(projectId: string, changes: SurveyChanges, version?: number): Promise<boolean>;
  /**
   * The survey as it is then; undefined when there is none to change. It moves the version like any other change, so
   * that a plan made before it is not carried out and cannot undo it.
   */
  setStatus(projectId: string, surveyId: string, status: SurveyStatus): Promise<Survey | undefined>;
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
  const { id, status, content, limits, repeat, startsAt, endsAt, segments, reasonCodes } = survey;
  // What counted once is never forgotten: segments that are no longer declared stay as retired ones, codes as they are.
  const optional = { repeat: repeat ?? null, startsAt: startsAt ?? null, endsAt: endsAt ?? null };
  const set = { status, content, limits, ...optional, segments: segmentRows(segments), reasonCodes };
  return { update: surveyKey(projectId, id), change: { set }, when: CHANGEABLE };
}

/** Version 0 is a project whose surveys have not been written yet. */
function isVersion(version: number | undefined): Condition {
  if (version === undefined) return CHANGEABLE;
  if (version === 0) return all(CHANGEABLE, { text: 'attribute_not_exists(#surveysVersion)' });
  return all(CHANGEABLE, { text: '#surveysVersion = :version', values: { version } });
}

const nextVersion = (projectId: string, version?: number, order?: readonly string[]): Write => ({
  update: projectKey(projectId),
  change: { add: { surveysVersion: 1 }, set: { surveyOrder: order } },
  when: isVersion(version),
});

export function createSurveyStore(table: Table): SurveyStore {
  return {
    async write(projectId, { created, updated, order }, version) {
      const written = await table.transact([
        nextVersion(projectId, version, order),
        ...created.flatMap((survey) => creation(projectId, survey)),
        ...updated.map((survey) => update(projectId, survey)),
      ]);
      return written.done;
    },

    async setStatus(projectId, surveyId, status) {
      const key = surveyKey(projectId, surveyId);
      const written = await table.transact([
        nextVersion(projectId),
        { update: key, change: { set: { status } }, when: CHANGEABLE },
      ]);
      const row = written.done ? await table.get(key) : undefined;
      return row && readSurvey(row);
    },
  };
}
