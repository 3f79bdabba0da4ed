import { randomBytes } from 'node:crypto';
import type { SurveyStore } from '../../shared/data/projects/survey-store.ts';
import { composeSurveyId, SURVEY_ID_RANDOM_BYTES } from '../../shared/domain/ids.ts';
import type { Survey, SurveyContent } from '../../shared/domain/surveys/survey.ts';
import { DEMO_REPEATS, DEMO_SEGMENTS, DEMO_SURVEYS } from './demo-surveys.ts';

/** What the demo project has of surveys. */
export interface DemoSurveySet {
  readonly surveys: readonly Survey[];
  /** Ids. */
  readonly surveyOrder: readonly string[];
  readonly surveysVersion: number;
}

const newSurvey = (content: SurveyContent): Survey => ({
  id: composeSurveyId(randomBytes(SURVEY_ID_RANDOM_BYTES)),
  status: 'active',
  limits: {},
  content,
  segments: DEMO_SEGMENTS,
  ...(content.slug in DEMO_REPEATS && { repeat: DEMO_REPEATS[content.slug] }),
});

/**
 * Creates those of {@link DEMO_SURVEYS} that the project has not, after its others, which stay as they are.
 *
 * @param seeded slugs of those it had once: what was purged does not come back
 * @returns whether there are new ones
 */
export async function seedSurveys(
  store: SurveyStore,
  projectId: string,
  { surveys, surveyOrder, surveysVersion }: DemoSurveySet,
  seeded: readonly string[] = [],
): Promise<boolean> {
  const had = new Set([...seeded, ...surveys.map(({ content }) => content.slug)]);
  const created = DEMO_SURVEYS.filter(({ slug }) => !had.has(slug)).map(newSurvey);
  if (created.length === 0) return false;
  const order = [...surveyOrder, ...created.map(({ id }) => id)];
  return store.write(projectId, { created, updated: [], order }, surveysVersion);
}
