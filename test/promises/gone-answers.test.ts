/** Expired answers are hidden before their rows are deleted (docs/contract.md §11.7). Their counts stay. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { erase } from '../../functions/erase.ts';
import { exportResponses } from '../../functions/export-responses.ts';
import { getOverview } from '../../functions/get-overview.ts';
import { getResults } from '../../functions/get-results.ts';
import { handleContact } from '../../functions/handle-contact.ts';
import { listComments } from '../../functions/list-comments.ts';
import { listContacts } from '../../functions/list-contacts.ts';
import { listPendingScores } from '../../functions/list-pending-scores.ts';
import { listSurveys } from '../../functions/list-surveys.ts';
import { onChange } from '../../functions/on-change.ts';
import { imports } from '../../functions/runtime/parts/answers.ts';
import { DAY, HOUR, MINUTE } from '../../shared/domain/duration.ts';
import { newRetention } from '../../shared/domain/retention.ts';
import { createAdminCli } from '../support/admin-cli.ts';
import { openTestStream } from '../support/events/test-stream.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { pagesOf } from '../support/fixtures/exported.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { aLinkedAnswer, anAnswer, type Given, revise } from '../support/fixtures/revising.ts';
import { scanAll } from '../support/scan-all.ts';
import { START } from '../support/service/test-clock.ts';
import { createTestService, type Tenant, type TestService } from '../support/service/test-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const WISH = { followUpRequested: true, contact: 'ann@example.com' } as const;
/** An answer from `START` with a retention period of 35 days expires at this time. */
const END = Date.parse('2026-12-26T00:00:00.000Z');

let service: TestService;
let tenant: Tenant;
let gone: Given;
let kept: Given;

beforeEach(async () => {
  service = await createTestService();
  const retention = newRetention('35d', START);
  tenant = await service.tenant({ limits: NO_LIMITS }, [aSurvey({ retention }), aSurvey()]);
  const second = { ...tenant, surveys: tenant.surveys.slice(1) };
  gone = await aLinkedAnswer({ service, tenant }, { text: 'words that end', ...WISH });
  kept = await anAnswer({ service, tenant: second }, { text: 'words that stay', ...WISH });
  const stream = openTestStream(service.table);
  await onChange(service.service)({ Records: await stream.read() });
  stream.close();
});

const ask = async (endpoint: Parameters<TestService['call']>[0], query: Record<string, string> = {}) => {
  const { status, body } = await service.call(endpoint, { secretKey: tenant.secretKey, query });
  expect(status).toBe(200);
  return body;
};

const slugOf = (index: number): string => tenant.surveys[index]?.content.slug ?? '';
const to = () => new Date(service.clock.now()).toISOString().slice(0, 10);

async function allThatIsRead(): Promise<string> {
  const from = '2026-11-01';
  const read = [
    await ask(exportResponses),
    await ask(exportResponses, { surveySlug: slugOf(0) }),
    await ask(exportResponses, { respondentId: gone.respondentId }),
    await pagesOf(service, tenant, { limit: '1' }),
    await ask(listComments, { surveySlug: slugOf(0), from, to: to() }),
    await ask(listContacts, { state: 'all' }),
    await ask(listContacts, { state: 'all', surveySlug: slugOf(0) }),
    await ask(listContacts, { state: 'open', from: '2026-11-20' }),
  ];
  return JSON.stringify(read);
}

const openContactsOf = async () => {
  const { surveys } = await ask(getOverview);
  const bySlug = new Map(
    surveys.map((line: { slug: string; openContacts: number }) => [line.slug, line.openContacts]),
  );
  return [slugOf(0), slugOf(1)].map((slug) => bySlug.get(slug));
};

const handle = (id: string) =>
  service.call(handleContact, { secretKey: tenant.secretKey, body: { id, handled: true } });

describe('an expired answer whose row still exists', () => {
  it('is readable until the last millisecond of its last day and hidden from then on', async () => {
    service.clock.advance(END - START - 1);
    expect(await allThatIsRead()).toContain('words that end');
    expect(await openContactsOf()).toEqual([1, 1]);
    service.clock.advance(1);
    const read = await allThatIsRead();
    expect(read).not.toContain('words that end');
    expect(read).not.toContain(gone.id);
    expect(read).toContain('words that stay');
    expect(await openContactsOf()).toEqual([0, 1]);
    expect(JSON.stringify(await scanAll(service.table, tenant.project.id))).toContain('words that end');
  });

  it('cannot be marked as handled', async () => {
    service.clock.advance(END - START);
    expect(await handle(gone.id)).toMatchObject({
      status: 404,
      body: { error: { code: 'response_not_found' } },
    });
    expect((await handle(kept.id)).status).toBe(200);
  });

  it('cannot be revised because its token has expired', async () => {
    service.clock.advance(END - START);
    const revision = { revision: 1, rating: 3 };
    const reply = await revise({ service, tenant }, gone.showToken, revision);
    expect([reply.status, reply.body.error.code]).toEqual([401, 'token_expired']);
  });

  it('remains in the counts, and replies state the day from which answers are complete', async () => {
    service.clock.advance(END - START);
    const results = await ask(getResults, { surveySlug: slugOf(0), from: '2026-11-01', to: to() });
    expect(results).toMatchObject({ responses: 1, comments: 1, completeFrom: '2026-11-21' });
    const { surveys } = await ask(listSurveys);
    const said = surveys.map(({ slug, keeps, completeFrom }: Record<string, unknown>) => [
      slug,
      keeps,
      completeFrom,
    ]);
    expect(new Set(said)).toEqual(
      new Set([
        [slugOf(0), '35d', '2026-11-21'],
        [slugOf(1), null, null],
      ]),
    );
    expect((await ask(exportResponses)).completeFrom).toEqual({ [slugOf(0)]: '2026-11-21' });
  });

  it('keeps a waiting score for 30 more days and hides everything else', async () => {
    const waiting = async () => (await ask(listPendingScores)).scores.map(({ id }: { id: string }) => id);
    service.clock.advance(END - START);
    expect(await waiting()).toEqual([gone.id]);
    service.clock.advance(30 * DAY - 1);
    expect(await waiting()).toEqual([gone.id]);
    service.clock.advance(1);
    expect(await waiting()).toEqual([]);
  });

  it('is deleted with the person but not counted', async () => {
    service.clock.advance(END - START);
    const { secretKey } = tenant;
    const erased = await service.call(erase, { secretKey, query: { respondentId: gone.respondentId } });
    expect(erased.body).toMatchObject({ responsesDeleted: 0, suppressionRetained: 1 });
    const rows = await scanAll(service.table, tenant.project.id);
    expect(JSON.stringify(rows)).not.toContain('words that end');
  });

  it('is missing from every file that an operator exports, and the output states why', async () => {
    service.clock.advance(END - START + HOUR);
    const cli = createAdminCli(service);
    for (const format of ['csv', 'jsonl']) {
      const flags = ['--project', tenant.project.id, '--format', format];
      const { stdout, stderr } = await cli.run('results', 'export', slugOf(0), ...flags);
      expect(stdout).not.toContain('words that end');
      expect(stderr).toContain('Answers before Nov 21, 2026 were deleted after their retention period.');
    }
  });
});

describe('an imported answer of an expired day', () => {
  it('suppresses the survey for the person without being stored', async () => {
    service.clock.advance(END - START);
    const now = service.clock.now();
    const { id: projectId } = tenant.project;
    const surveyId = tenant.surveys[0]?.id ?? '';
    const target = { projectId, surveyId, completeFrom: '2026-11-21' };
    const row = { respondentId: 'bea', rating: 7, text: 'words of before' };
    const store = (at: number) => imports(service.service).store(target, { ...row, at }, now);
    expect(await store(START)).toBe('expired');
    expect(await store(START)).toBe('expired');
    const rows = await scanAll(service.table, projectId);
    expect(JSON.stringify(rows)).not.toContain('words of before');
    const suppressions = rows.filter(({ type }) => type === 'suppression');
    expect(suppressions.map(({ asked }) => [...(asked ?? [])].length)).toEqual([1]);
    expect(await store(START + DAY + MINUTE)).toBe('imported');
  });

  it('is counted separately by `import`', async () => {
    service.clock.advance(END - START);
    const file = join(temporaryFolder(), 'answers.csv');
    writeFileSync(file, 'email,rating,at\nbea@example.com,7,2026-11-20\nbo@example.com,8,2026-12-20\n');
    const flags = ['--project', tenant.project.id, '--survey', slugOf(0), '-f', file];
    const report = await createAdminCli(service).json('import', ...flags);
    expect(report).toEqual({
      read: expect.objectContaining({ rows: 2 }),
      ...{ imported: 1, completed: 0, redacted: 0, skipped: 0, expired: 1, rejected: [] },
      ...{ dismissals: 0, withdrawn: 0 },
    });
  });
});
