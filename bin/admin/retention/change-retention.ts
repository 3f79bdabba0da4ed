import type { Command } from 'commander';
import { erasureLog } from '../../../functions/runtime/parts/privacy.ts';
import { projects } from '../../../functions/runtime/parts/projects.ts';
import {
  changeRetention,
  isShorterPeriod,
  nextPeriod,
  periodAt,
  type RetentionPeriod,
} from '../../../shared/domain/retention.ts';
import { failure, misuse } from '../admin-error.ts';
import { noProject, type Session } from '../session.ts';
import { timeText } from '../terminal.ts';
import { listExpiring, showExpiring } from './expiring.ts';

export interface RetentionAgreement {
  readonly yes?: boolean;
  /** Skips the two days in which the change can be reverted. */
  readonly now?: boolean;
}

export const withAgreement = (command: Command): Command =>
  command
    .option('--yes', 'do not ask before a shorter retention deletes answers')
    .option(
      '--now',
      'apply a shorter retention immediately, without the two days in which you can revert it',
    );

/** Logs what is in force now, for `erasures replay` after a restore. */
async function note(session: Session, projectId: string): Promise<void> {
  const { retention } = (await session.record(projectId)).project;
  if (retention === undefined) return;
  await erasureLog(session.service).recordRetention({ projectId, retention }, session.now());
}

async function agree({ terminal }: Session): Promise<void> {
  if (!terminal.isInteractive)
    throw misuse(
      'A shorter retention permanently deletes answers, and there is no terminal to ask on. Confirm with --yes.',
    );
  if (!(await terminal.confirm('Change the retention?'))) throw failure('Nothing was changed.');
}

/** @throws AdminError when the operator declines or someone else changed it first; nothing is changed then */
export async function changeProjectRetention(
  session: Session,
  projectId: string,
  period: RetentionPeriod,
  { yes, now: isAtOnce = false }: RetentionAgreement,
): Promise<void> {
  const record = await session.record(projectId);
  const { retention: before } = record.project;
  const change = () => changeRetention(before, { period, now: session.now(), isAtOnce });
  // Log it again: an earlier run may have been interrupted.
  if (change() === before) return note(session, projectId);
  if (isShorterPeriod(period, periodAt(before, session.now()))) {
    showExpiring(session, await listExpiring(session, record, { project: change() }));
    if (!yes) await agree(session);
  }
  // The waiting period starts when the operator agrees.
  const retention = change();
  if (retention === undefined) return;
  const outcome = await projects(session.service).setRetention(projectId, retention, before);
  if (outcome === 'gone') throw noProject(projectId);
  if (outcome === 'changed') throw failure('Someone else changed the retention. Run this again.');
  await note(session, projectId);
  const next = nextPeriod(retention, session.now());
  if (next === undefined) return;
  const current = periodAt(retention, session.now()) ?? 'none';
  session.terminal.note(
    `From ${timeText(next.from)} on, answers are kept ${next.period === null ? 'forever' : `for ${next.period}`}. Until then, "project update ${projectId} --retention ${current}" reverts the change.`,
  );
}
