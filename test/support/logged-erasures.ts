import { createErasureLog, type ErasedScope } from '../../shared/data/privacy/erasure-log.ts';
import { START } from './test-clock.ts';
import type { TestService } from './test-service.ts';

/** What the log of erasures has of a project, oldest first. */
export async function loggedErasures(
  { table, clock }: TestService,
  projectId: string,
): Promise<ErasedScope[]> {
  const log = createErasureLog(table.erasureLog);
  const logged: ErasedScope[] = [];
  for await (const { scope } of log.since(START, clock.now())) {
    if (scope.projectId === projectId) logged.push(scope);
  }
  return logged;
}
