/** A project's settings partition, read whole: project, keys, surveys, totals. */

import type { Project, ProjectKey, ProjectSettings, Totals } from '../../domain/project.ts';
import type { Survey } from '../../domain/survey.ts';
import type { Row } from '../table/row.ts';
import { settingsPartition } from '../table/schema.ts';
import type { Table } from '../table/table.ts';
import {
  readKey,
  readProject,
  readProjectTotal,
  readSurvey,
  readSurveysVersion,
  readSurveyTotal,
} from './project-item.ts';

export interface ProjectRecord {
  readonly project: Project;
  /** Grows with every change of the set of surveys: what was planned against an older one is not carried out. */
  readonly surveysVersion: number;
  /** Revoked ones too. */
  readonly keys: readonly ProjectKey[];
  /** Those being purged are left out. */
  readonly surveys: readonly Survey[];
  readonly totals: Totals;
}

/**
 * One strongly consistent query; a second page only beyond 1 MB of surveys.
 * @returns undefined when there is no such project, or when it is being purged
 */
export async function readProjectRecord(
  table: Pick<Table, 'query'>,
  projectId: string,
): Promise<ProjectRecord | undefined> {
  const rows = await table.query({ partition: settingsPartition(projectId) });
  const ofType = (type: string): Row[] => rows.filter((row) => row.type === type);
  const [own] = ofType('project');
  if (own === undefined) return undefined;
  const project = readProject(own);
  if (project.purgedAt !== undefined) return undefined;
  const surveys = ofType('survey').map(readSurvey);
  const [total = {}] = ofType('project-total');
  const surveyTotals = ofType('survey-total').map(readSurveyTotal);
  return {
    project,
    surveysVersion: readSurveysVersion(own),
    keys: ofType('key').map(readKey),
    surveys: surveys.filter(({ purgedAt }) => purgedAt === undefined),
    totals: {
      bySurvey: new Map(surveyTotals.map(({ surveyId, responses }) => [surveyId, responses])),
      answered: new Map(surveyTotals.map(({ surveyId, answered = 0 }) => [surveyId, answered])),
      byMonth: readProjectTotal(total),
    },
  };
}

/** Undefined when there is no such project, or when it is being purged. */
export type LoadSettings = (projectId: string) => Promise<ProjectSettings | undefined>;

/** The record as requests need it: live keys and surveys by what a request names. */
export function createSettingsLoader(table: Pick<Table, 'query'>): LoadSettings {
  return async (projectId) => {
    const record = await readProjectRecord(table, projectId);
    if (record === undefined) return undefined;
    const live = record.keys.filter((key) => key.revokedAt === undefined);
    return {
      project: record.project,
      keys: new Map(live.map((key) => [key.hash, key])),
      surveys: new Map(record.surveys.map((survey) => [survey.id, survey])),
      totals: record.totals,
    };
  };
}
