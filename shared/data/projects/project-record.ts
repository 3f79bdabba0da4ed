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
import {
  readIdentitySecret,
  readKey,
  readProject,
  readProjectTotal,
  readSurvey,
  readSurveyTotal,
} from './project-item.ts';
import { readSurveySet, tornBy } from './survey-change-item.ts';

export interface ProjectRecord {
  readonly project: Project;
  /** A change that was planned for an older version is refused. */
  readonly surveysVersion: number;
  readonly surveyOrder: readonly string[];
  readonly surveyOrderMark?: SurveyMark | undefined;
  readonly surveysMark?: SurveyMark | undefined;
  readonly keys: readonly ProjectKey[];
  /** In the order in which they are asked. */
  readonly surveys: readonly Survey[];
  readonly totals: Totals;
  readonly identitySecrets: readonly IdentitySecret[];
}

/** A retry cannot succeed. */
export class UnreadableSettings extends Error {
  override readonly name = 'UnreadableSettings';
}

const isKnownKind = ({ kind }: Row): boolean => KEY_KINDS.some((known) => known === kind);

/** A reading may include only part of a concurrent change. */
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
    // A newer release may have stored other kinds.
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

/** A concurrent change is complete within a round trip. */
const MOST_READINGS = 6;

/**
 * Makes one strongly consistent query, or more if surveys exceed 1 MB or the reading includes only part of a change.
 * @returns undefined if the project does not exist or is being purged
 * @throws UnreadableSettings whose message quotes no values
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
  throw Object.assign(new Error('a change of the surveys stays incomplete'), {
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

export type LoadSettings = (projectId: string) => Promise<ProjectSettings | undefined>;

export function createSettingsLoader(table: Pick<Table, 'query'>): LoadSettings {
  return async (projectId) => {
    const record = await readProjectRecord(table, projectId);
    if (record === undefined) return undefined;
    const { keys, surveys, surveyOrderMark: _, ...settings } = record;
    const live = keys.filter((key) => key.revokedAt === undefined);
    return {
      ...settings,
      keys: new Map(live.map((key) => [key.hash, key])),
      surveys: new Map(surveys.map((survey) => [survey.id, survey])),
    };
  };
}
