import type { ProjectSettings } from '../../domain/project.ts';
import type { FindCounting, SurveyCounting } from '../../domain/results/contribution.ts';
import { FIRST_GENERATIONS } from '../../domain/results/generation.ts';
import type { Survey } from '../../domain/surveys/survey.ts';
import { UnreadableSettings } from '../projects/project-record.ts';

interface OfSurvey {
  readonly projectId: string;
  readonly surveyId: string;
}

type Load = (projectId: string) => Promise<ProjectSettings | undefined>;

export const countingOf = (
  { id, segments = [], retention }: Survey,
  settings: ProjectSettings,
): SurveyCounting => ({
  segments,
  generations: settings.totals.generations?.get(id) ?? FIRST_GENERATIONS,
  retentions: [settings.project.retention, retention],
});

function listCountings(settings: ProjectSettings | undefined): ReadonlyMap<string, SurveyCounting> {
  if (settings === undefined) return new Map();
  return new Map([...settings.surveys.values()].map((survey) => [survey.id, countingOf(survey, settings)]));
}

interface SurveyCountingDependencies {
  /** May return cached settings. */
  readonly load: Load;
  /** Always reads, because the survey may be new. */
  readonly read: Load;
  readonly forget: (projectId: string) => void;
}

export function createSurveyCountings({ load, read, forget }: SurveyCountingDependencies) {
  async function ofProject(projectId: string, surveyIds: ReadonlySet<string>) {
    const known = listCountings(await load(projectId));
    if ([...surveyIds].every((id) => known.has(id))) return known;
    return listCountings(await read(projectId));
  }

  return {
    /** Omits surveys that were purged or are being purged. */
    async of(
      surveys: readonly OfSurvey[],
      isOutdated: boolean,
      onUnreadable: (projectId: string, error: UnreadableSettings) => void,
    ): Promise<FindCounting> {
      const byProject = Map.groupBy(surveys, ({ projectId }) => projectId);
      const found = [...byProject].map(async ([projectId, some]) => {
        if (isOutdated) forget(projectId);
        const ids = new Set(some.map(({ surveyId }) => surveyId));
        try {
          return [projectId, await ofProject(projectId, ids)] as const;
        } catch (error) {
          if (!(error instanceof UnreadableSettings)) throw error;
          onUnreadable(projectId, error);
          return [projectId, undefined] as const;
        }
      });
      const known = new Map(await Promise.all(found));
      return ({ projectId, surveyId }) => known.get(projectId)?.get(surveyId);
    },
  };
}
