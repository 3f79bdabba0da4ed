import type { ProjectStore } from '../../shared/data/projects/project-store.ts';
import type { PurgeScope } from '../../shared/domain/purge.ts';

/**
 * Whether a purge got as far as its mark, or further: the survey, or its project, is no longer among what stands. One
 * that was asked for and refused, since its state machine did not start, did not.
 */
export async function isMarked(
  projects: ProjectStore,
  { projectId, surveyId }: PurgeScope,
): Promise<boolean> {
  const record = await projects.read(projectId);
  return (
    record === undefined || (surveyId !== undefined && !record.surveys.some(({ id }) => id === surveyId))
  );
}
