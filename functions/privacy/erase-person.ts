import { refuse } from '../../shared/contract/errors.ts';
import { longestQuietPeriodMs } from '../../shared/domain/erasure.ts';
import type { ProjectSettings } from '../../shared/domain/project.ts';
import { erasures, type Service } from '../runtime/compose.ts';

const NOTE = 'Copies that were already delivered to other systems are not reached; erase them there.';

/**
 * Erases a person under every id given: answers go, hashed suppression stays (docs/contract.md §11.4). A person known
 * under one id is known under all: the others are noted as erased too, or a later import could bring the person back.
 */
export async function erasePerson(
  respondentIds: readonly string[],
  settings: ProjectSettings,
  now: number,
  service: Service,
) {
  const store = erasures(service);
  const counts = { responsesDeleted: 0, dismissalsDeleted: 0, suppressionRetained: 0 };
  const eraseId = async (respondentId: string, isKnown: boolean): Promise<boolean> => {
    const target = { projectId: settings.project.id, respondentId, isKnown };
    const quietPeriod = { longestQuietPeriodMs: longestQuietPeriodMs(settings) };
    const erased = await store.eraseRespondent({ ...target, ...quietPeriod }, now);
    counts.responsesDeleted += erased?.responsesDeleted ?? 0;
    counts.dismissalsDeleted += erased?.dismissalsDeleted ?? 0;
    counts.suppressionRetained += erased?.suppressionRetained ?? 0;
    return erased !== undefined;
  };
  const unseen: string[] = [];
  for (const id of respondentIds) {
    if (!(await eraseId(id, false))) unseen.push(id);
  }
  if (unseen.length === respondentIds.length) return refuse('respondent_not_found');
  // What came in under them meanwhile is deleted too.
  for (const id of unseen) await eraseId(id, true);
  return {
    ok: true as const,
    mode: 'respondent' as const,
    respondentIds: [...respondentIds],
    ...counts,
    note: NOTE,
  };
}
