import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listPendingScores } from '../../functions/list-pending-scores.ts';
import { onChange } from '../../functions/on-change.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { createAdminCli } from '../support/admin-cli.ts';
import { openTestStream } from '../support/events/test-stream.ts';
import { aLink, post } from '../support/fixtures/a-link.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { exportedOf, revise } from '../support/fixtures/revising.ts';
import { codeOf, submit } from '../support/fixtures/submission.ts';
import { boundTokenOf, showTokenOf, someone, surveyOf } from '../support/fixtures/tokens.ts';
import { scanAll } from '../support/scan-all.ts';
import { createTestService, type Reply } from '../support/service/test-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const service = await createTestService({ config: { events: { includeText: true } } });
const admin = createAdminCli(service);
const unlimited = { limits: NO_LIMITS, rates: { publishable: 0, secret: 0 } };
const tenant = await service.tenant({ ...unlimited, redact: true });
const caller = { service, tenant };

let said = 0;
function personal() {
  said += 1;
  const address = `canary.${said}@example.com`;
  const number = `+49 30 ${1_000_000 + said}`;
  const text = `Write to ${address} or ring ${number}, card 4242 4242 4242 4242!`;
  return { address, number, text, stored: 'Write to [e-mail] or ring [number], card [number]!' };
}
type Personal = ReturnType<typeof personal>;

const importText = async (text: string) => {
  const file = join(temporaryFolder(), 'answers.csv');
  writeFileSync(file, text);
  const survey = tenant.surveys[0]?.content.slug ?? '';
  return admin.json('import', '--project', tenant.project.id, '--survey', survey, '-f', file);
};

const ENTRANCES: Readonly<
  Record<string, (words: Personal, respondentId: string) => Promise<Reply | undefined>>
> = {
  'an answer of a page': async ({ text }, userId) =>
    submit(caller, await showTokenOf(service, tenant, { userId }), { text }),
  'an answer that a server hands in': async ({ text }, respondentId) => {
    const showToken = await boundTokenOf(service, tenant, { respondentId });
    const { secretKey } = tenant;
    const answer = { showToken, surveyId: surveyOf(tenant), sessionId: 'session-1', rating: 2, text };
    return service.call(submitResponse, { secretKey, body: { ...answer, channel: 'slack' } });
  },
  'a revision': async ({ text }, userId) => {
    const showToken = await showTokenOf(service, tenant, { userId });
    expect(codeOf(await submit(caller, showToken, { text: 'Fine' }))).toBe('201 recorded');
    return revise(caller, showToken, { revision: 1, rating: 4, text });
  },
  'the form of a link': async ({ text }, respondentId) => {
    const path = await aLink(service, tenant, { respondentId, sessionId: 's-1' });
    expect((await post(service, path, { rating: '3', text })).status).toBe(200);
    return undefined;
  },
  'a line of an import': async ({ text }, respondentId) => {
    const file = `respondent_id,rating,text\n${respondentId},5,"${text}"\nsomebody-else-${respondentId},5,Fine\n`;
    expect(await importText(file)).toEqual({
      read: expect.objectContaining({ rows: 2 }),
      completed: 0,
      dismissals: 0,
      withdrawn: 0,
      imported: 2,
      redacted: 1,
      expired: 0,
      skipped: 0,
      rejected: [],
    });
    // Import recognizes a line by its text before redaction.
    expect(await importText(file)).toMatchObject({ imported: 0, redacted: 0, skipped: 2 });
    return undefined;
  },
};

describe('text with personal data', () => {
  it.each(Object.keys(ENTRANCES))('is neither stored, sent nor logged: %s', async (entrance) => {
    const [words, respondentId] = [personal(), someone()];
    const stream = openTestStream(service.table);
    const reply = await ENTRANCES[entrance]?.(words, respondentId);
    if (reply !== undefined) expect(reply.body).toMatchObject({ ok: true, redacted: ['text'] });
    expect(await exportedOf(caller, respondentId)).toMatchObject({ text: words.stored });

    await onChange(service.service)({ Records: await stream.read() });
    stream.close();
    const { body } = await service.call(listPendingScores, { secretKey: tenant.secretKey });
    const everything = JSON.stringify([
      await scanAll(service.table, tenant.project.id),
      service.events,
      service.logs,
      body,
    ]);
    expect(everything).toContain('[e-mail]');
    for (const secret of [words.address, words.number, '4242 4242']) expect(everything).not.toContain(secret);
  });

  it('is compared with the stored text when a revision is repeated', async () => {
    const [{ text }, userId] = [personal(), someone()];
    const showToken = await showTokenOf(service, tenant, { userId });
    await submit(caller, showToken);
    const first = await revise(caller, showToken, { revision: 1, rating: 4, text });
    service.clock.advance(1_000);
    const again = await revise(caller, showToken, { revision: 1, rating: 4, text });
    expect(again).toMatchObject({ status: 200, body: first.body });
    const withdrawn = await revise(caller, showToken, { revision: 2, withdraw: true, text });
    expect(withdrawn.body).not.toHaveProperty('redacted');
  });

  it('leaves a contact as it was given, and replies do not mention redaction of an empty text', async () => {
    const [{ address }, userId] = [personal(), someone()];
    const reply = await submit(caller, await showTokenOf(service, tenant, { userId }), {
      text: 'It cost $1,234.50 on 12.03.2026',
      contact: address,
    });
    expect(reply.body).not.toHaveProperty('redacted');
    expect(await exportedOf(caller, userId)).toMatchObject({
      text: 'It cost $1,234.50 on 12.03.2026',
      contact: address,
    });
  });

  it('is stored unchanged for a project that does not redact or no longer redacts', async () => {
    for (const redact of [undefined, false]) {
      const other = { service, tenant: await service.tenant({ ...unlimited, redact }) };
      const [{ text }, userId] = [personal(), someone()];
      const reply = await submit(other, await showTokenOf(service, other.tenant, { userId }), { text });
      expect(reply.body).not.toHaveProperty('redacted');
      expect(await exportedOf(other, userId)).toMatchObject({ text });
    }
  });
});
