/** `project update --retention`: how long a project's answers stay. */

import type { Command } from 'commander';
import { erasureLog, projects } from '../../../functions/runtime/compose.ts';
import {
  changeRetention,
  isShorterPeriod,
  nextPeriod,
  periodAt,
  type RetentionPeriod,
} from '../../../shared/domain/retention.ts';
import { failure, misuse } from '../admin-error.ts';
import { noProject, type Session } from '../session.ts';
import { listExpiring, showExpiring } from './expiring.ts';

export interface RetentionAgreement {
  readonly yes?: boolean;
  /** Without the two days in which it can be set back. */
  readonly now?: boolean;
}

/** Adds the flags of what takes answers for good. */
export const withAgreement = (command: Command): Command =>
  command
    .option('--yes', 'do not ask before a shorter retention takes answers for good')
    .option('--now', 'with a shorter retention: do not wait the two days in which it can be taken back');

/** For a restore from before: what holds by now, for somebody else may have changed it since. */
async function note(session: Session, projectId: string): Promise<void> {
  const { retention } = (await session.record(projectId)).project;
  if (retention === undefined) return;
  await erasureLog(session.service).recordRetention({ projectId, retention }, session.now());
}

async function agree({ terminal }: Session): Promise<void> {
  if (!terminal.isInteractive)
    throw misuse('A shorter retention takes answers for good, and there is nobody to ask: say --yes.');
  if (!(await terminal.confirm('Change the retention?'))) throw failure('Nothing was changed.');
}

/**
 * Shows what would go, asks, and stores it.
 * @throws AdminError where somebody does not agree, or another change came first: nothing is changed then
 */
export async function changeProjectRetention(
  session: Session,
  projectId: string,
  period: RetentionPeriod,
  { yes, now: isAtOnce = false }: RetentionAgreement,
): Promise<void> {
  const record = await session.record(projectId);
  const { retention: before } = record.project;
  const change = () => changeRetention(before, { period, now: session.now(), isAtOnce });
  // Said again, it is noted again: an earlier run may have ended in between.
  if (change() === before) return note(session, projectId);
  if (isShorterPeriod(period, periodAt(before, session.now()))) {
    showExpiring(session, await listExpiring(session, record, { project: change() }));
    if (!yes) await agree(session);
  }
  // Two days, or half a minute, from when it is agreed to.
  const retention = change();
  if (retention === undefined) return;
  const outcome = await projects(session.service).setRetention(projectId, retention, before);
  if (outcome === 'gone') throw noProject(projectId);
  if (outcome === 'changed') throw failure('Somebody else changed the retention meanwhile. Run it again.');
  await note(session, projectId);
  const next = nextPeriod(retention, session.now());
  if (next === undefined) return;
  const current = periodAt(retention, session.now()) ?? 'none';
  session.terminal.note(
    `Answers stay ${next.period ?? 'for ever'} from ${next.from} on; until then "project update ${projectId} --retention ${current}" takes it back.`,
  );
}
