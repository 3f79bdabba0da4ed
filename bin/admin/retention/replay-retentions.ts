/** Retentions as they were changed since a time, after a restore from before. */

import { erasureLog, projects, surveys } from '../../../functions/runtime/compose.ts';
import type { ChangedRetention } from '../../../shared/data/privacy/erasure-log.ts';
import { RETENTION_SETTLES_MS } from '../../../shared/domain/retention.ts';
import { failure } from '../admin-error.ts';
import type { Session } from '../session.ts';

/** How often somebody else may change the surveys in between. */
const MOST_LOST_RACES = 20;

/** @returns false where the restored table has no such project or survey */
async function set({ service }: Session, change: ChangedRetention): Promise<boolean> {
  const { projectId, surveyId, retention } = change;
  if (surveyId === undefined) {
    return (await projects(service).updateProject(projectId, { retention })) !== undefined;
  }
  for (let lostRaces = 0; lostRaces < MOST_LOST_RACES; lostRaces++) {
    const record = await projects(service).read(projectId);
    const survey = record?.surveys.find(({ id }) => id === surveyId);
    if (record === undefined || survey === undefined) return false;
    const changes = { created: [], updated: [{ ...survey, retention }] };
    if (await surveys(service).write(projectId, changes, record.surveysVersion)) return true;
  }
  throw failure(`Somebody else keeps changing the surveys of project ${projectId}. Run it again.`);
}

/**
 * Sets every retention to what it was changed to last. Then waits until no function has older settings, or an answer
 * that is erased past its end would be taken off its day's numbers.
 * @returns how many
 */
export async function replayRetentions(session: Session, since: number): Promise<number> {
  let count = 0;
  for (const change of await erasureLog(session.service).retentionsSince(since, session.now())) {
    if (await set(session, change)) count += 1;
  }
  if (count > 0) await session.sleep(RETENTION_SETTLES_MS, new AbortController().signal);
  return count;
}
