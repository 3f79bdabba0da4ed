/** A project's settings partition, read whole: project, keys, surveys, totals. */

import {
  type IdentitySecret,
  KEY_KINDS,
  type Project,
  type ProjectKey,
  type ProjectSettings,
  type Totals,
} from '../../domain/project.ts';
import { type Survey, sortSurveys } from '../../domain/surveys/survey.ts';
import type { Row } from '../table/row.ts';
import { settingsPartition } from '../table/schema.ts';
import type { Table } from '../table/table.ts';
import { readIdentitySecret } from './identity-secrets.ts';
import {
  readKey,
  readProject,
  readProjectTotal,
  readSurvey,
  readSurveySet,
  readSurveyTotal,
} from './project-item.ts';

export interface ProjectRecord {
  readonly project: Project;
  /** Grows with every change of the set of surveys: what was planned against an older one is not carried out. */
  readonly surveysVersion: number;
  /** Ids in the order of the survey file that was applied last. */
  readonly surveyOrder: readonly string[];
  /** Revoked ones too. */
  readonly keys: readonly ProjectKey[];
  /** In the order in which they are asked; those being purged are left out. */
  readonly surveys: readonly Survey[];
  readonly totals: Totals;
  readonly identitySecrets: readonly IdentitySecret[];
}

/** What lies in the table for a project is not what this version knows: reading it again says the same. */
export class UnreadableSettings extends Error {
  override readonly name = 'UnreadableSettings';
}

const isKnownKind = ({ kind }: Row): boolean => KEY_KINDS.some((known) => known === kind);

function toRecord(rows: readonly Row[]): ProjectRecord | undefined {
  const ofType = (type: string): Row[] => rows.filter((row) => row.type === type);
  const [own] = ofType('project');
  if (own === undefined) return undefined;
  const project = readProject(own);
  if (project.purgedAt !== undefined) return undefined;
  const surveys = ofType('survey').map(readSurvey);
  const { version, order } = readSurveySet(own);
  const [total = {}] = ofType('project-total');
  const surveyTotals = ofType('survey-total').map(readSurveyTotal);
  return {
    project,
    surveysVersion: version,
    surveyOrder: order,
    // A later release may know other kinds; while both run, this one passes them over.
    keys: ofType('key').filter(isKnownKind).map(readKey),
    surveys: sortSurveys(
      surveys.filter(({ purgedAt }) => purgedAt === undefined),
      order,
    ),
    totals: {
      bySurvey: new Map(surveyTotals.map(({ surveyId, responses }) => [surveyId, responses])),
      answered: new Map(
        surveyTotals.map(({ surveyId, generations, answeredIn }) => [
          surveyId,
          answeredIn(generations.shown),
        ]),
      ),
      generations: new Map(surveyTotals.map(({ surveyId, generations }) => [surveyId, generations])),
      byMonth: readProjectTotal(total),
    },
    identitySecrets: ofType('identity-secret')
      .map(readIdentitySecret)
      .filter((secret) => secret !== undefined),
  };
}

/**
 * One strongly consistent query; a second page only beyond 1 MB of surveys.
 * @returns undefined when there is no such project, or when it is being purged
 * @throws UnreadableSettings when a row is malformed; its message quotes no value
 */
export async function readProjectRecord(
  table: Pick<Table, 'query'>,
  projectId: string,
): Promise<ProjectRecord | undefined> {
  const rows = await table.query({ partition: settingsPartition(projectId) });
  try {
    return toRecord(rows);
  } catch (cause) {
    throw new UnreadableSettings(
      `settings cannot be read: ${cause instanceof Error ? cause.message : typeof cause}`,
      { cause },
    );
  }
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
      identitySecrets: record.identitySecrets,
    };
  };
}
