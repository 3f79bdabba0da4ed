import { projectSettings, purges, type Service } from '../runtime/compose.ts';
import { COPIES_OF_ACCOUNT } from './copies-note.ts';

/** Purges the whole project: its keys end at once, the state machine deletes everything. */
export async function eraseAccount(projectId: string, now: number, service: Service) {
  const execution = await purges(service).open({ projectId }, now);
  projectSettings(service).forget(projectId);
  return {
    ok: true as const,
    mode: 'account' as const,
    note: `All keys of the project are revoked. Execution ${execution} deletes everything and verifies that nothing is left. ${COPIES_OF_ACCOUNT}`,
  };
}
