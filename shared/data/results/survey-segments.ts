/** By what the results of surveys are told apart, as whoever counts asks: for many surveys of many projects at once. */

import type { ProjectSettings } from '../../domain/project.ts';
import type { Segment } from '../../domain/segments.ts';

interface OfSurvey {
  readonly projectId: string;
  readonly surveyId: string;
}

/** Segments by survey, by project; a survey that is gone, or being purged, is not among them. */
type SegmentsBySurvey = ReadonlyMap<string, ReadonlyMap<string, readonly Segment[]>>;

export interface SurveySegments {
  of(surveys: readonly OfSurvey[]): Promise<SegmentsBySurvey>;
}

type Load = (projectId: string) => Promise<ProjectSettings | undefined>;

function listSegments(settings: ProjectSettings | undefined): ReadonlyMap<string, readonly Segment[]> {
  const surveys = [...(settings?.surveys.values() ?? [])];
  return new Map(surveys.map(({ id, segments = [] }) => [id, segments]));
}

/**
 * @param remembered may be as old as settings may be in memory
 * @param load reads: what is not remembered may have been created since
 */
export function createSurveySegments(remembered: Load, load: Load): SurveySegments {
  async function ofProject(projectId: string, surveyIds: ReadonlySet<string>) {
    const known = listSegments(await remembered(projectId));
    if ([...surveyIds].every((id) => known.has(id))) return known;
    return listSegments(await load(projectId));
  }

  return {
    async of(surveys) {
      const byProject = Map.groupBy(surveys, ({ projectId }) => projectId);
      const found = [...byProject].map(async ([projectId, some]) => {
        const ids = new Set(some.map(({ surveyId }) => surveyId));
        return [projectId, await ofProject(projectId, ids)] as const;
      });
      return new Map(await Promise.all(found));
    },
  };
}
