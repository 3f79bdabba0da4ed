/** Reporting that a survey was on screen, and what of it lies in the table. */

import { shows } from '../../functions/runtime/compose.ts';
import { submitImpression } from '../../functions/submit-impression.ts';
import { composeTokenId, TOKEN_ID_RANDOM_BYTES } from '../../shared/crypto/token-id.ts';
import { DAY } from '../../shared/domain/duration.ts';
import { aToken } from './answered.ts';
import { scanAll } from './scan-all.ts';
import type { Reply, Tenant, TestService } from './test-service.ts';
import { surveyOf } from './tokens.ts';

export function report(
  service: TestService,
  tenant: Tenant,
  showToken: string,
  fields: Record<string, unknown> = {},
): Promise<Reply> {
  const body = { key: tenant.publishableKey, surveyId: surveyOf(tenant), showToken, ...fields };
  return service.call(submitImpression, { body });
}

/** A fresh token, and the report that its survey was shown. */
export async function show(
  service: TestService,
  tenant: Tenant,
  respondentId: string,
  surveyId = surveyOf(tenant),
): Promise<{ readonly reply: Reply; readonly showToken: string }> {
  const showToken = await aToken(service, tenant, respondentId, { surveyId });
  return { reply: await report(service, tenant, showToken, { surveyId }), showToken };
}

/** The items of people's shows. */
export async function shownRows({ table }: TestService, { project }: Tenant) {
  return (await scanAll(table, project.id)).filter(({ type }) => type === 'shown');
}

/** How many shows are stored, of everybody. */
export async function countShows(service: TestService, tenant: Tenant): Promise<number> {
  const rows = await shownRows(service, tenant);
  return rows.reduce((sum, { shows }) => sum + (shows === undefined ? 0 : [...shows].length), 0);
}

interface Seeded {
  readonly projectId: string;
  readonly surveyId: string;
  readonly respondentId: string;
}

/** Stores shows of a survey to a person, at these times. */
export async function seedShows(
  { service, clock }: TestService,
  { projectId, surveyId, respondentId }: Seeded,
  times: readonly number[],
): Promise<void> {
  for (const [index, at] of times.entries()) {
    const tokenId = composeTokenId(at, Buffer.alloc(TOKEN_ID_RANDOM_BYTES, index));
    const claims = { tokenId, surveyId, respondentId, expiresAt: at + DAY };
    await shows(service).record({ projectId, claims, windowMs: DAY }, clock.now());
  }
}
