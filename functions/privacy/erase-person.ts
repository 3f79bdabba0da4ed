import { refuse } from '../../shared/contract/errors.ts';
import { respondentHash } from '../../shared/crypto/derive.ts';
import { isUnavailable } from '../../shared/data/table/unavailable.ts';
import { longestQuietPeriodMs } from '../../shared/domain/answers/erasure.ts';
import { expiryOf } from '../../shared/domain/answers/show-token.ts';
import { SECOND } from '../../shared/domain/duration.ts';
import { goneAnswers } from '../../shared/domain/gone-answers.ts';
import type { ProjectSettings } from '../../shared/domain/project.ts';
import { clock, type Service, secrets } from '../runtime/compose.ts';
import { eventOptions, eventOutlet } from '../runtime/parts/events.ts';
import { erasures, purges } from '../runtime/parts/privacy.ts';
import { describeEvent } from '../stream/describe-event.ts';
import { copiesNote } from './erase-survey.ts';

const ERASE_TIME_MS = 15 * SECOND;

const COUNTS = 'The data exceeds what one request can delete, so the counts cover this request only';

async function goOn(
  service: Service,
  projectId: string,
  hashes: Iterable<string>,
  now: number,
  copies: string,
): Promise<string> {
  const executions: string[] = [];
  try {
    for (const hash of hashes) {
      executions.push(await purges(service).open({ projectId, respondentHash: hash }, now));
    }
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    return `${COUNTS}. Ask again for the rest. ${copies}`;
  }
  return `${COUNTS}. Execution ${executions.join(' and ')} continues with the rest. ${copies}`;
}

interface Requested {
  readonly now: number;
  readonly requestId: string;
}

async function tellErased(
  service: Service,
  { projectId, respondentId }: { readonly projectId: string; readonly respondentId: string },
  id: string,
  now: number,
): Promise<void> {
  const at = new Date(now).toISOString();
  const happening = { type: 'Respondent Erased', id, at, projectId, respondentId } as const;
  await eventOutlet(service)?.send([describeEvent(happening, undefined, eventOptions(service))]);
}

/**
 * A hashed suppression remains (docs/contract.md §11.4). It also covers ids without data, because an import could
 * restore the person's data.
 */
export async function erasePerson(
  respondentIds: readonly string[],
  settings: ProjectSettings,
  { now, requestId }: Requested,
  service: Service,
) {
  const store = erasures(service);
  const projectId = settings.project.id;
  const rowExpiresAt = expiryOf(settings.project, now);
  const isProbe = rowExpiresAt !== undefined;
  const secret = await secrets(service).hashSecret();
  const counts = { responsesDeleted: 0, dismissalsDeleted: 0, suppressionRetained: 0 };
  const unfinished = new Set<string>();
  let withdrawals = 0;
  const common = {
    projectId,
    rowExpiresAt,
    longestQuietPeriodMs: longestQuietPeriodMs(settings),
    isGone: goneAnswers(settings, now),
    isOutOfTime: () => clock(service)() - now >= ERASE_TIME_MS,
  };
  const eraseId = async (respondentId: string, isKnown: boolean): Promise<boolean> => {
    const hash = respondentHash(secret, projectId, respondentId);
    const eventId = `${projectId}-erased-${requestId}-${respondentIds.indexOf(respondentId)}`;
    const beforeErasing = async () => {
      if (!isProbe) await tellErased(service, { projectId, respondentId }, eventId, now);
    };
    const target = { ...common, respondentHash: hash, isKnown, beforeErasing };
    const erased = await store.eraseByHash(target, now);
    counts.responsesDeleted += erased?.responsesDeleted ?? 0;
    counts.dismissalsDeleted += erased?.dismissalsDeleted ?? 0;
    counts.suppressionRetained += erased?.suppressionRetained ?? 0;
    withdrawals += erased?.withdrawals ?? 0;
    if (erased?.more === true) unfinished.add(hash);
    return erased !== undefined;
  };
  const unseen: string[] = [];
  for (const id of respondentIds) {
    if (!(await eraseId(id, false))) unseen.push(id);
  }
  if (unseen.length === respondentIds.length) return refuse('respondent_not_found');
  for (const id of unseen) await eraseId(id, true);
  const copies = copiesNote(withdrawals);
  // Data of the synthetic monitor expires on its own.
  const isDone = unfinished.size === 0 || isProbe;
  const note = isDone ? copies : await goOn(service, projectId, unfinished, now, copies);
  return {
    ok: true as const,
    mode: 'respondent' as const,
    respondentIds: [...respondentIds],
    ...counts,
    note,
  };
}
