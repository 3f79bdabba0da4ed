import { refuse } from '../../shared/contract/errors.ts';
import type { ErasureTarget, RespondentErasure } from '../../shared/data/privacy/erasure-store.ts';
import { longestQuietPeriodMs } from '../../shared/domain/erasure.ts';
import type { ProjectSettings } from '../../shared/domain/project.ts';
import type { ErasureDependencies } from '../runtime/erasure-dependencies.ts';
import type { Person } from '../runtime/person.ts';

const NOTE = 'Copies that were already delivered to other systems are not reached; erase them there.';

/**
 * Erases a person under every id given: answers go, hashed suppression stays (contract, decisions §7). Known under one
 * id is known: the others are marked as erased too, or a later import could bring the person back.
 */
export async function erasePerson(
  person: Person,
  settings: ProjectSettings,
  now: number,
  { erasures }: ErasureDependencies,
) {
  const quietPeriodMs = longestQuietPeriodMs(settings);
  const targetOf = (respondentHash: string): ErasureTarget => ({
    projectId: settings.project.id,
    respondentHash,
    longestQuietPeriodMs: quietPeriodMs,
  });
  const unseen: string[] = [];
  const counts = { responsesDeleted: 0, dismissalsDeleted: 0, suppressionRetained: 0 };
  const add = (erased: RespondentErasure | undefined) => {
    counts.responsesDeleted += erased?.responsesDeleted ?? 0;
    counts.dismissalsDeleted += erased?.dismissalsDeleted ?? 0;
    counts.suppressionRetained += erased?.suppressionRetained ?? 0;
  };
  for (const respondentHash of person.hashes) {
    const erased = await erasures.eraseRespondent(targetOf(respondentHash), now);
    if (erased === undefined) unseen.push(respondentHash);
    add(erased);
  }
  if (unseen.length === person.hashes.length) return refuse('respondent_not_found');
  for (const respondentHash of unseen) {
    // What came under it meanwhile is deleted too.
    add(await erasures.eraseRespondent({ ...targetOf(respondentHash), isKnown: true }, now));
  }
  return {
    ok: true as const,
    mode: 'respondent' as const,
    respondentIds: [...person.ids],
    ...counts,
    note: NOTE,
  };
}
