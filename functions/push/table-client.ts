/**
 * The two calls of the server client that pushing makes, answered from the table: the function's own role is the
 * permission, so no key of the project is copied anywhere, and revoking one stops nothing.
 */

import type { CanvassClient } from '../../sdk/server/canvass-client.ts';
import type { CallOptions } from '../../sdk/server/transport/transport.ts';
import { withDeadline } from '../../shared/data/table/deadline.ts';
import { projectSettings, type Service, scores } from '../runtime/compose.ts';
import { readScorePage } from '../scores/score-page.ts';

export type ScoreClient = Pick<CanvassClient, 'pendingScores' | 'ackScores'>;

/** A project that is unknown, or being purged, has no scores. A cursor that does not open means the beginning. */
export function createTableClient(service: Service, projectId: string): ScoreClient {
  const within = <T>({ deadlineMs = Number.POSITIVE_INFINITY }: CallOptions, work: () => Promise<T>) =>
    withDeadline(deadlineMs, work);
  return {
    pendingScores: (query = {}, call = {}) =>
      within(call, async () => {
        const settings = await projectSettings(service).load(projectId);
        if (settings === undefined) return { scores: [] };
        const page = await readScorePage(service, settings, query);
        if (page !== undefined) return page;
        const { cursor: _, ...fromBeginning } = query;
        return (await readScorePage(service, settings, fromBeginning)) ?? { scores: [] };
      }),

    ackScores: (results, call = {}) =>
      within(call, async () => ({
        ok: true,
        updated: await scores(service).acknowledge(projectId, results),
      })),
  };
}
