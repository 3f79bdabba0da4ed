import type { ErasureDependencies } from '../runtime/erasure-dependencies.ts';

/** Purges the whole project: its keys end at once, the state machine deletes everything. */
export async function eraseAccount(
  projectId: string,
  now: number,
  { purges, settings: cache }: ErasureDependencies,
) {
  const execution = await purges.open({ projectId }, now);
  cache.forget(projectId);
  return {
    ok: true as const,
    mode: 'account' as const,
    note: `All keys of the project are revoked. Execution ${execution} deletes everything and verifies that nothing is left.`,
  };
}
