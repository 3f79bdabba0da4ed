/** Compares sign-in for arbitrary tokens with a model of docs/contract.md §20.2. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { handleContact } from '../../../functions/handle-contact.ts';
import { listContacts } from '../../../functions/list-contacts.ts';
import { listSurveys } from '../../../functions/list-surveys.ts';
import { histories } from '../../support/depth.ts';
import { aConsoleTenant } from '../../support/fixtures/signed-in.ts';
import { START } from '../../support/service/test-clock.ts';
import { createTestService } from '../../support/service/test-service.ts';

const NOW = START / 1_000;
const HOURS = 3_600;

const maybe = <Value>(...values: readonly Value[]) => fc.constantFrom(undefined, ...values);
const claims = fc.record({
  exp: fc.constantFrom(NOW + 1, NOW + HOURS, NOW, NOW - 1),
  iat: fc.constantFrom(NOW, NOW - 12 * HOURS, NOW - 12 * HOURS - 1, NOW + 30, NOW + 31),
  aud: fc.constantFrom<unknown>('console', ['console'], ['console', 'shop'], 'shop', ['shop']),
  azp: maybe('console', 'shop'),
  token_use: maybe('id', 'access'),
  groups: maybe<unknown>(
    'research',
    ['research'],
    ['product'],
    ['sales', 'product'],
    'research product',
    ['Product'],
    7,
  ),
  email: maybe<unknown>('ann@example.com', 'Ann@EXAMPLE.com', 'ann@x.example.com', 'boss@example.org', [
    'ann@example.com',
  ]),
  email_verified: maybe<unknown>(true, true, false, 'true', 1),
});
type Claims = typeof claims extends fc.Arbitrary<infer Each> ? Each : never;

function isGood({ exp, iat, aud, azp, token_use: use }: Claims): boolean {
  const audiences = [aud].flat();
  const isOurs = audiences.includes('console') && (azp === 'console' || (!azp && audiences.length === 1));
  return isOurs && use !== 'access' && exp > NOW && iat >= NOW - 12 * HOURS && iat <= NOW + 30;
}

function roleOf({ groups, email, email_verified: verified }: Claims): 'editor' | 'viewer' | 'nobody' {
  const all = [groups].flat();
  const address = verified === true && typeof email === 'string' ? email.toLowerCase() : '';
  if (all.includes('product') || address === 'boss@example.org') return 'editor';
  return all.includes('research') || address === 'ann@example.com' ? 'viewer' : 'nobody';
}

const EXPECTED = { editor: [200, 200, 404], viewer: [200, 403, 403], nobody: [403, 403, 403] } as const;

it('admits exactly the people on the lists', async () => {
  const service = await createTestService();
  const tenant = await aConsoleTenant(service);
  // Uses a new person each time, to avoid the rate limit per person.
  let people = 0;
  await fc.assert(
    fc.asyncProperty(claims, async (said) => {
      const headers = await tenant.as({ ...said, sub: `u-${people++}` });
      const statuses = [
        (await service.call(listSurveys, { headers })).status,
        (await service.call(listContacts, { headers })).status,
        (await service.call(handleContact, { headers, body: { id: 'none', handled: true } })).status,
      ];
      expect(statuses).toEqual(isGood(said) ? EXPECTED[roleOf(said)] : [401, 401, 401]);
    }),
    { numRuns: histories(20) },
  );
});
