/**
 * Optional values never cause a refusal (docs/contract.md §9.1). test/shared/contract/sdk-schemas.test.ts has the
 * limits of each field.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { erase } from '../../functions/erase.ts';
import { exportResponses } from '../../functions/export-responses.ts';
import { listPendingScores } from '../../functions/list-pending-scores.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { aSubmission, codeOf, submit } from '../support/fixtures/submission.ts';
import { boundTokenOf, showTokenOf, someone } from '../support/fixtures/tokens.ts';
import { scanAll } from '../support/scan-all.ts';
import { createTestService } from '../support/service/test-service.ts';

const service = await createTestService();
const tenant = await service.tenant({ rates: { publishable: 0, secret: 0 } });
const caller = { service, tenant };

const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));

describe('201 with optional values', () => {
  const stored = async (fields: Record<string, unknown>) => {
    const userId = someone();
    const reply = await submit(caller, await showTokenOf(service, tenant, { userId }), fields);
    expect(codeOf(reply)).toBe('201 recorded');
    const query = { respondentId: userId };
    const { body } = await service.call(exportResponses, { secretKey: tenant.secretKey, query });
    return { dropped: reply.body.dropped, row: body.responses[0] };
  };

  it('keeps valid ones unchanged', async () => {
    const fields = {
      traits: { k: 'ü'.repeat(2_044) },
      taskType: 'ü'.repeat(32),
      contact: 'ü'.repeat(128),
      sessionId: '😀'.repeat(64),
      traceId: 'x'.repeat(256),
      text: '😀'.repeat(5_000),
    };
    const { dropped, row } = await stored(fields);
    expect(dropped).toBeUndefined();
    expect(row).toMatchObject(fields);
    expect((await stored({ text: '' })).row.text).toBe('');
  });

  it('drops and names invalid ones', async () => {
    const names = ['contact', 'followUpRequested', 'identityKind', 'observationId', 'sessionId', 'taskType'];
    const fields = [...names, 'text', 'traceId', 'traits'];
    const { dropped, row } = await stored(Object.fromEntries(fields.map((name) => [name, [{ un: 'fit' }]])));
    expect(dropped.sort()).toEqual(fields);
    expect(row).toMatchObject({ rating: 8, ...Object.fromEntries(fields.map((name) => [name, null])) });
  });

  it("keeps reasons of a low rating in the survey's order, and drops and names unknown ones", async () => {
    const asking = await service.tenant({ rates: { publishable: 0, secret: 0 } }, [
      aSurvey(
        { reasonCodes: ['rude', 'slow', 'wrong'] },
        { reasons: ['wrong', 'slow'].map((code) => ({ code, label: code })) },
      ),
    ]);
    const given = async (fields: Record<string, unknown>) => {
      const userId = someone();
      const showToken = await showTokenOf(service, asking, { userId });
      const { status, body } = await submit({ service, tenant: asking }, showToken, fields);
      const query = { respondentId: userId };
      const { secretKey } = asking;
      const [row] = (await service.call(exportResponses, { secretKey, query })).body.responses;
      return [status, row.reasons, body.dropped];
    };
    const reasons = ['slow', 'toString', 'wrong', 'rude', 'slow'];
    expect(await given({ rating: 6, reasons })).toEqual([201, ['wrong', 'slow', 'rude'], ['reasons.1']]);
    expect(await given({ rating: 7, reasons })).toEqual([201, null, ['reasons']]);
    for (const unfit of ['slow', { slow: true }, 7, ['unknown'], [['slow']]])
      expect(await given({ rating: 0, reasons: unfit })).toEqual([201, null, ['reasons']]);
    for (const none of [[], null, undefined])
      expect(await given({ rating: 0, reasons: none })).toEqual([201, null, undefined]);
  });

  it('drops an invalid userId, because the token names the respondent', async () => {
    for (const userId of [7, '', `${'ü'.repeat(128)}x`]) {
      const { dropped, row } = await stored({ userId });
      expect(dropped).toEqual(['userId']);
      expect(row.rating).toBe(8);
    }
  });

  it('cuts a longer text at 5,000 characters without splitting one', async () => {
    const { dropped, row } = await stored({ text: '😀'.repeat(5_001) });
    expect(dropped).toEqual(['text']);
    expect(row.text).toBe('😀'.repeat(5_000));
  });

  it('keeps the first 50 traits within 4,096 bytes, nested ones as JSON text', async () => {
    const many = await stored({ traits: keys(52) });
    expect(many).toMatchObject({ dropped: ['traits.k50', 'traits.k51'], row: { traits: keys(50) } });
    const large = await stored({ traits: { a: 1, b: 'ü'.repeat(2_100), c: 2 } });
    expect(large).toMatchObject({ dropped: ['traits.b'], row: { traits: { a: 1, c: 2 } } });
    const nested = await stored({ traits: { orgs: [{ id: 1 }], plan: 'team' } });
    expect(nested.dropped).toBeUndefined();
    expect(nested.row.traits).toEqual({ orgs: '[{"id":1}]', plan: 'team' });
  });

  it('counts dropped values, and logs fields without values and names of traits', async () => {
    service.logs.length = 0;
    const traits = { ...keys(50), canary: 'x' };
    await submit(caller, await showTokenOf(service, tenant), { traits, taskType: ['canary'], text: 7 });
    const line = JSON.parse(service.logs.at(-1) ?? '{}');
    expect(line).toMatchObject({ metadata_dropped: 3, dropped: ['text', 'traits', 'taskType'] });
    expect(service.logs.join()).not.toContain('canary');
  });

  it('drops nothing for a refused answer', async () => {
    service.logs.length = 0;
    await submit(caller, 'forged', { traits: [] });
    expect(service.logs.join()).not.toContain('dropped');
  });

  it('stores the rating with any JSON', async () => {
    const anything = fc.oneof(
      fc.jsonValue({ maxDepth: 4, noUnicodeString: false }),
      fc.dictionary(
        fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'a.b')),
        fc.jsonValue(),
      ),
      fc.string({ unit: 'binary', maxLength: 6_000 }),
    );
    const names = ['text', 'followUpRequested', 'contact', 'userId', 'traits', 'taskType', 'identityKind'];
    const ids = ['sessionId', 'observationId', 'traceId'];
    const fields = fc.dictionary(fc.constantFrom(...names, ...ids), anything, { minKeys: 1 });
    await fc.assert(
      fc.asyncProperty(fields, async (sent) => {
        const { row } = await stored(sent);
        expect(row.rating).toBe(8);
        expect(Object.keys(row.traits ?? {}).length).toBeLessThanOrEqual(50);
        expect(Buffer.byteLength(JSON.stringify(row.traits ?? {}))).toBeLessThanOrEqual(4_096);
      }),
      { numRuns: 150 },
    );
  });

  it('drops traits that are nested too deeply to be serialized', async () => {
    const token = await showTokenOf(service, tenant);
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    const rawBody = JSON.stringify(aSubmission(tenant, token, { traits: { deep: 'N' } })).replace(
      '"N"',
      deep,
    );
    const reply = await service.call(submitResponse, { rawBody });
    expect(reply).toMatchObject({ status: 201, body: { dropped: ['traits.deep'] } });
  });
});

it('exports a contact, keeps it out of scores and logs, and deletes it with the person', async () => {
  service.logs.length = 0;
  const respondentId = someone();
  const contact = 'canary@example.org';
  const token = await boundTokenOf(service, tenant, { respondentId, sessionId: 's-1' });
  const reply = await submit(caller, token, { sessionId: 's-1', contact, followUpRequested: true });
  expect(reply.body).toEqual({ ok: true, id: expect.any(String), at: expect.any(String) });

  const { secretKey } = tenant;
  const scores = await service.call(listPendingScores, { secretKey });
  expect(scores.body.scores.map(({ id }: { id: string }) => id)).toContain(reply.body.id);
  expect(scores.text).not.toContain('canary');
  const exported = await service.call(exportResponses, { secretKey, query: { respondentId } });
  expect(exported.body.responses).toMatchObject([{ contact }]);
  expect(service.logs.join()).not.toContain('canary');

  const stored = async () => JSON.stringify(await scanAll(service.table, tenant.project.id));
  expect(await stored()).toContain(contact);
  await service.call(erase, { secretKey, query: { respondentId } });
  expect(await stored()).not.toContain(contact);
});
