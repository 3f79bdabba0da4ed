/** `survey pause|resume|archive`: changes all named surveys at once, even with concurrent changes. */

import { surveys } from '../../../functions/runtime/parts/projects.ts';
import type { ProjectRecord } from '../../../shared/data/projects/project-record.ts';
import { SURVEYS_AT_ONCE } from '../../../shared/data/projects/survey-store.ts';
import type { Survey, SurveyStatus } from '../../../shared/domain/surveys/survey.ts';
import { failure, misuse } from '../admin-error.ts';
import { namedSurvey, type Session } from '../session.ts';
import { assertServable } from './plan.ts';

const MOST_LOST_RACES = 20;

/** @throws AdminError when one does not exist */
export const named = (record: ProjectRecord, slugs: readonly string[]): Survey[] =>
  [...new Set(slugs)].map((slug) => namedSurvey(record, slug));

interface Changed {
  readonly record: ProjectRecord;
  readonly surveys: readonly Survey[];
}

/** The console remains the last editor of such a survey, so a differing file is still refused. */
export async function setStatus(
  session: Session,
  project: string,
  slugs: readonly string[],
  status: SurveyStatus,
): Promise<Changed> {
  for (let lostRaces = 0; lostRaces <= MOST_LOST_RACES; lostRaces++) {
    const record = await session.record(project);
    const wanted = named(record, slugs);
    if (wanted.length > SURVEYS_AT_ONCE) throw misuse(`Name at most ${SURVEYS_AT_ONCE} surveys at once.`);
    const others = record.surveys.filter((survey) => !wanted.includes(survey));
    const changed = wanted.map((survey) => ({ ...survey, status }));
    if (status === 'active') assertServable([...others, ...changed]);
    const left = changed.filter((_, index) => wanted[index]?.status !== status);
    if (left.length === 0) return { record, surveys: changed };
    const note = { by: 'operator', at: new Date(session.now()).toISOString() };
    const told = left.map(({ content: { slug } }) => ({
      slug,
      action: 'updated' as const,
      fields: ['status'],
    }));
    const changes = { created: [], updated: left };
    const noted = { note, surveys: told, isReordered: false };
    if (await surveys(session.service).write(project, changes, record.surveysVersion, noted))
      return { record, surveys: changed };
  }
  throw failure('Someone else keeps changing the surveys. Nothing was changed. Run this again.');
}
