import { completeFrom, type ProjectSettings } from '../../shared/domain/project.ts';
import { isGone, SCORES_KEPT_MS } from '../../shared/domain/retention.ts';
import { longestWait, type PendingScore, pendingScoreOf } from '../../shared/domain/scoring.ts';
import { isOnScale } from '../../shared/domain/surveys/survey.ts';
import { clock, type Service } from '../runtime/compose.ts';
import { scores } from '../runtime/parts/scores.ts';
import { projectSettings } from '../runtime/settings-cache.ts';

/** See docs/contract.md §3.7. */
export const SCORE_PAGE = { default: 50, most: 100 } as const;

export interface ScorePageQuery {
  readonly limit?: number | undefined;
  readonly includeFailed?: boolean | undefined;
  readonly includeWithdrawn?: boolean | undefined;
  readonly cursor?: string | undefined;
}

export interface ScorePage {
  readonly scores: PendingScore[];
  readonly nextCursor?: string;
}

/** Scores stay pending a while longer than their deleted answers (docs/contract.md §11.7). */
export async function readScorePage(
  service: Service,
  settings: ProjectSettings,
  {
    limit: asked = SCORE_PAGE.default,
    includeFailed = false,
    includeWithdrawn = false,
    cursor,
  }: ScorePageQuery,
  onOldest: (since: string) => void = () => undefined,
): Promise<ScorePage | undefined> {
  const store = scores(service);
  const query = { projectId: settings.project.id, includeFailed, includeWithdrawn };
  const after = cursor === undefined ? undefined : await store.openCursor(query, cursor);
  if (cursor !== undefined && after === undefined) return undefined;
  const limit = Math.min(asked, SCORE_PAGE.most);

  const { project } = settings;
  const past = clock(service)() - SCORES_KEPT_MS;
  let { surveys } = settings;
  const page: PendingScore[] = [];
  let last: string | undefined;
  let hasMore = false;
  for await (const { response, place } of store.sweep(query, after, limit + 1)) {
    let survey = surveys.get(response.surveyId);
    // A survey that stays unknown is being purged. A choice may be new.
    if (survey === undefined || (response.kind === 'response' && !isOnScale(response.rating, survey))) {
      surveys = (await projectSettings(service).reload(query.projectId))?.surveys ?? surveys;
      survey = surveys.get(response.surveyId);
    }
    const item = survey === undefined ? undefined : pendingScoreOf(response, survey);
    if (item === undefined) continue;
    if (isGone(response.at, completeFrom({ project, surveys }, response.surveyId, past))) continue;
    hasMore = page.length === limit;
    if (hasMore) break;
    page.push(item);
    last = place;
  }
  const oldest = longestWait(page);
  if (after === undefined && oldest !== undefined) onOldest(oldest);
  if (!hasMore || last === undefined) return { scores: page };
  return { scores: page, nextCursor: await store.cursorBehind(query, last) };
}
