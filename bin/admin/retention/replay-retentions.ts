import type { Service } from '../../../functions/runtime/compose.ts';
import { erasureLog } from '../../../functions/runtime/parts/privacy.ts';
import { projects, surveys } from '../../../functions/runtime/parts/projects.ts';
import type { ChangedRetention } from '../../../shared/data/privacy/erasure-log.ts';
import { RETENTION_SETTLES_MS } from '../../../shared/domain/retention.ts';
import { failure } from '../admin-error.ts';
import type { Session } from '../session.ts';

const MOST_LOST_RACES = 20;

async function attempt(service: Service, change: ChangedRetention): Promise<'done' | 'changed' | 'gone'> {
  const { projectId, surveyId, retention } = change;
  const record = await projects(service).read(projectId);
  if (record === undefined) return 'gone';
  if (surveyId === undefined) {
    return projects(service).setRetention(projectId, retention, record.project.retention);
  }
  const survey = record.surveys.find(({ id }) => id === surveyId);
  if (survey === undefined) return 'gone';
  const changes = { created: [], updated: [{ ...survey, retention }] };
  return (await surveys(service).write(projectId, changes, record.surveysVersion)) ? 'done' : 'changed';
}

/** @returns false when the restored table has no such project or survey */
async function set({ service }: Session, change: ChangedRetention): Promise<boolean> {
  for (let lostRaces = 0; lostRaces < MOST_LOST_RACES; lostRaces++) {
    const outcome = await attempt(service, change);
    if (outcome !== 'changed') return outcome === 'done';
  }
  throw failure(`Someone else keeps changing project ${change.projectId}. Run this again.`);
}

/**
 * Restores every retention to its latest value. Then waits until all functions have read it; otherwise an erasure of an
 * expired answer would change that day's numbers.
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
