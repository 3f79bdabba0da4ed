import { invalid } from '../shared/contract/errors.ts';
import { routes } from '../shared/contract/routes.ts';
import type { Response } from '../shared/domain/answer.ts';
import { SECOND } from '../shared/domain/duration.ts';
import { type PendingScore, pendingScoreOf } from '../shared/domain/scoring.ts';
import { projectSettings, scores } from './runtime/compose.ts';
import { endpoint } from './runtime/endpoint.ts';
import { onLambda } from './runtime/on-lambda.ts';

/** Page size of pending-scores (docs/contract.md §3.7). */
const LIMIT = { default: 50, most: 100 } as const;

/** A page of the project's scores that wait for delivery. One row more is read, to know whether there is a next page. */
export const listPendingScores = endpoint(
  routes.listPendingScores,
  async ({ input, settings, now, count, service }) => {
    const store = scores(service);
    const query = { projectId: settings.project.id, includeFailed: input.includeFailed ?? false };
    const after = input.cursor === undefined ? undefined : await store.openCursor(query, input.cursor);
    if (input.cursor !== undefined && after === undefined) {
      return invalid('cursor', 'was not issued to this project for this query');
    }
    const limit = Math.min(input.limit ?? LIMIT.default, LIMIT.most);

    let { surveys } = settings;
    const page: PendingScore[] = [];
    let last: Response | undefined;
    // The oldest is on a first page, if anywhere; no score waits behind a failed one.
    let isMeasured = after !== undefined;
    for await (const response of store.sweep(query, after, limit + 1)) {
      // Another instance may know a newer survey; one that stays unknown is being purged, and its answers with it.
      if (!surveys.has(response.surveyId)) {
        surveys = (await projectSettings(service).reload(query.projectId))?.surveys ?? surveys;
      }
      const survey = surveys.get(response.surveyId);
      const item = survey === undefined ? undefined : pendingScoreOf(response, survey);
      if (item === undefined) continue;
      if (!isMeasured && item.state === 'pending') {
        count('oldest_pending', Math.max(0, now - Date.parse(item.at)) / SECOND);
        isMeasured = true;
      }
      if (page.length === limit && last !== undefined) {
        return { scores: page, nextCursor: await store.cursorBehind(query, last) };
      }
      page.push(item);
      last = response;
    }
    return { scores: page };
  },
);

export const handler = onLambda(listPendingScores);
