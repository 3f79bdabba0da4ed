/** A project's settings partition as its items say it. */

import type { Project, ProjectKey, Totals } from '../../domain/project.ts';
import type { Survey } from '../../domain/survey.ts';
import type { Item } from '../table/item.ts';
import { monthOfAttribute } from '../table/schema.ts';
import { keyOfItem, projectOfItem, surveyOfItem } from './project-item.ts';

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

/** Undefined when the project's own item is not among them, or when the project is being purged. */
export function recordOf(items: readonly Item[]): ProjectRecord | undefined {
  const keys: ProjectKey[] = [];
  const surveys: Survey[] = [];
  const bySurvey = new Map<string, number>();
  const byMonth = new Map<string, number>();
  let project: Project | undefined;
  let surveysVersion = 0;
  for (const item of items) {
    if (item.type === 'project') {
      project = projectOfItem(item);
      surveysVersion = item.surveysVersion ?? 0;
    } else if (item.type === 'key') keys.push(keyOfItem(item));
    else if (item.type === 'survey' && item.purgedAt === undefined) surveys.push(surveyOfItem(item));
    else if (item.type === 'survey-total') bySurvey.set(item.surveyId, item.responses);
    else if (item.type === 'project-total') {
      for (const [attribute, count] of Object.entries(item)) {
        const month = monthOfAttribute(attribute);
        if (month !== undefined) byMonth.set(month, count);
      }
    }
  }
  if (project === undefined || project.purgedAt !== undefined) return undefined;
  return { project, surveysVersion, keys, surveys, totals: { bySurvey, byMonth } };
}
