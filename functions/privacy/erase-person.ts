import { refuse } from '../../shared/contract/errors.ts';
import { longestQuietPeriodMs } from '../../shared/domain/erasure.ts';
import type { ProjectSettings } from '../../shared/domain/project.ts';
import type { ErasureDependencies } from '../runtime/erasure-dependencies.ts';
import type { Person } from '../runtime/person.ts';

const NOTE = 'Copies that were already delivered to other systems are not reached; erase them there.';

/** Erases a person under every id given: answers go, hashed suppression stays (contract, decisions §7). */
export async function erasePerson(
  person: Person,
  settings: ProjectSettings,
  now: number,
  { erasures }: ErasureDependencies,
) {
  const projectId = settings.project.id;
  let isKnown = false;
  const counts = { responsesDeleted: 0, dismissalsDeleted: 0, suppressionRetained: 0 };
  for (const respondentHash of person.hashes) {
    const target = { projectId, respondentHash, longestQuietPeriodMs: longestQuietPeriodMs(settings) };
    const erased = await erasures.eraseRespondent(target, now);
    if (erased === undefined) continue;
    isKnown = true;
    counts.responsesDeleted += erased.responsesDeleted;
    counts.dismissalsDeleted += erased.dismissalsDeleted;
    counts.suppressionRetained += erased.suppressionRetained;
  }
  if (!isKnown) return refuse('respondent_not_found');
  return {
    ok: true as const,
    mode: 'respondent' as const,
    respondentIds: [...person.ids],
    ...counts,
    note: NOTE,
  };
}
