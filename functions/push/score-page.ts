/** A page of a project's scores that wait for delivery: what the route replies, and what the score adapter delivers. */

import type { Response } from '../../shared/domain/answer.ts';
import type { ProjectSettings } from '../../shared/domain/project.ts';
import { type PendingScore, pendingScoreOf } from '../../shared/domain/scoring.ts';
import { projectSettings, type Service, scores } from '../runtime/compose.ts';

/** Page size of pending-scores (docs/contract.md §3.7). */
const LIMIT = { default: 50, most: 100 } as const;

export interface ScorePageQuery {
  readonly limit?: number | undefined;
  readonly includeFailed?: boolean | undefined;
  readonly cursor?: string | undefined;
}

export interface ScorePage {
  readonly scores: PendingScore[];
  readonly nextCursor?: string;
}

/**
 * One row more is read than the page holds, to know whether there is a next one.
 * @param onFirst told of the first pending score of a first page
 * @returns undefined when the cursor was not issued to this project for this query
 */
export async function readScorePage(
  service: Service,
  settings: ProjectSettings,
  { limit: asked = LIMIT.default, includeFailed = false, cursor }: ScorePageQuery,
  onFirst: (score: PendingScore) => void = () => undefined,
): Promise<ScorePage | undefined> {
  const store = scores(service);
  const query = { projectId: settings.project.id, includeFailed };
  const after = cursor === undefined ? undefined : await store.openCursor(query, cursor);
  if (cursor !== undefined && after === undefined) return undefined;
  const limit = Math.min(asked, LIMIT.most);

  let { surveys } = settings;
  const page: PendingScore[] = [];
  let last: Response | undefined;
  let hasTold = after !== undefined;
  for await (const response of store.sweep(query, after, limit + 1)) {
    // Another instance may know a newer survey; one that stays unknown is being purged, and its answers with it.
    if (!surveys.has(response.surveyId)) {
      surveys = (await projectSettings(service).reload(query.projectId))?.surveys ?? surveys;
    }
    const survey = surveys.get(response.surveyId);
    const item = survey === undefined ? undefined : pendingScoreOf(response, survey);
    if (item === undefined) continue;
    // No score waits behind a failed one.
    if (!hasTold && item.state === 'pending') {
      onFirst(item);
      hasTold = true;
    }
    if (page.length === limit && last !== undefined) {
      return { scores: page, nextCursor: await store.cursorBehind(query, last) };
    }
    page.push(item);
    last = response;
  }
  return { scores: page };
}
