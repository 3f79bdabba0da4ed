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
import type { SurveyMark } from '../../domain/surveys/survey-change.ts';
import type { Row } from '../table/row.ts';
import { settingsPartition } from '../table/schema.ts';
import type { Table } from '../table/table.ts';
import { readIdentitySecret } from './identity-secrets.ts';
import { readKey, readProject, readProjectTotal, readSurvey, readSurveyTotal } from './project-item.ts';
import { readSurveySet, tornBy } from './survey-change-item.ts';

export interface ProjectRecord {
  readonly project: Project;
  /** Grows with every change of the set of surveys: what was planned against an older one is not carried out. */
  readonly surveysVersion: number;
  /** Ids in the order that was said last, by a survey file or in the console. */
  readonly surveyOrder: readonly string[];
  /** Who said so; undefined where that was not noted. */
  readonly surveyOrderMark?: SurveyMark | undefined;
  /** Of the last change of the surveys; undefined where that was not noted. */
  readonly surveysMark?: SurveyMark | undefined;
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

/** Of one reading of the partition; it may show a part of what is being written. */
interface Reading {
  readonly record: ProjectRecord;
  readonly torn: ReturnType<typeof tornBy>;
}

function toReading(rows: readonly Row[]): Reading | undefined {
  const ofType = (type: string): Row[] => rows.filter((row) => row.type === type);
  const [own] = ofType('project');
  if (own === undefined) return undefined;
  const project = readProject(own);
  if (project.purgedAt !== undefined) return undefined;
  const surveys = ofType('survey').map(readSurvey);
  const set = readSurveySet(own);
  const { version, order, orderMark, changed } = set;
  const [total = {}] = ofType('project-total');
  const surveyTotals = ofType('survey-total').map(readSurveyTotal);
  const record: ProjectRecord = {
    project,
    surveysVersion: version,
    surveyOrder: order,
    surveyOrderMark: orderMark,
    surveysMark: changed,
    // A newer release may write other kinds while both run.
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
  return { record, torn: tornBy(set, surveys) };
}

/** Readings of a set of surveys that is being written: it is whole within a round trip. */
const MOST_READINGS = 6;

/**
 * One strongly consistent query; a second page only beyond 1 MB of surveys, and another query where this one saw a part of
 * a change alone.
 * @returns undefined when there is no such project, or when it is being purged
 * @throws UnreadableSettings when a row is malformed; its message quotes no value
 * @throws an error of an unavailable dependency when a change stays half
 */
export async function readProjectRecord(
  table: Pick<Table, 'query'>,
  projectId: string,
): Promise<ProjectRecord | undefined> {
  for (let left = MOST_READINGS; left > 0; left--) {
    const reading = readingOf(await table.query({ partition: settingsPartition(projectId) }));
    const isWhole = reading?.torn === undefined || (reading.torn === 'missing' && left === 1);
    if (isWhole) return reading?.record;
  }
  throw Object.assign(new Error('a change of the surveys stays half'), {
    name: 'TransactionInProgressException',
  });
}

function readingOf(rows: readonly Row[]): Reading | undefined {
  try {
    return toReading(rows);
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
      surveysVersion: record.surveysVersion,
      surveyOrder: record.surveyOrder,
      surveysMark: record.surveysMark,
      keys: new Map(live.map((key) => [key.hash, key])),
      surveys: new Map(record.surveys.map((survey) => [survey.id, survey])),
      totals: record.totals,
      identitySecrets: record.identitySecrets,
    };
  };
}
