/** See docs/contract.md §9.7. */

import { beforeAll, describe, expect, it } from 'vitest';
import { answerLink } from '../../functions/answer-link.ts';
import { deferredAskLink } from '../../functions/deferred-ask-link.ts';
import { erase } from '../../functions/erase.ts';
import { exportResponses } from '../../functions/export-responses.ts';
import { listComments } from '../../functions/list-comments.ts';
import { listPendingScores } from '../../functions/list-pending-scores.ts';
import { mintTokens } from '../../functions/mint-tokens.ts';
import { onChange } from '../../functions/on-change.ts';
import { reviseResponse } from '../../functions/revise-response.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { openTestStream, type StreamReader } from '../support/events/test-stream.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { someone, surveyOf } from '../support/fixtures/tokens.ts';
import { scanAll } from '../support/scan-all.ts';
import {
  createTestService,
  type Reply,
  type Tenant,
  type TestService,
} from '../support/service/test-service.ts';
import { createTestTable } from '../support/service/test-table.ts';

const LABELS = { model: 'large-2', arm: 'b' };
const NONE = { labels: null, channel: null };

let service: TestService;
let tenant: Tenant;
let stream: StreamReader;
beforeAll(async () => {
  service = await createTestService({ table: await createTestTable() });
  tenant = await service.tenant({ limits: NO_LIMITS, rates: { publishable: 0, secret: 0 } }, [
    aSurvey({ repeat: 'session' }),
  ]);
  stream = openTestStream(service.table);
  return () => stream.close();
});

const mint = (fields: object = {}): Promise<Reply> => {
  const body = { respondentId: someone(), sessionId: 's-1', ...fields };
  return service.call(mintTokens, { body, secretKey: tenant.secretKey });
};

function answer(showToken: string, fields: object = {}, secretKey?: string): Promise<Reply> {
  const key = secretKey === undefined ? { key: tenant.publishableKey } : {};
  const body = { ...key, surveyId: surveyOf(tenant), showToken, sessionId: 's-1', rating: 2, ...fields };
  return service.call(submitResponse, { body, ...(secretKey !== undefined && { secretKey }) });
}

async function readEverywhere(id: string) {
  const { secretKey } = tenant;
  const [{ body: exported }, { body: said }, { body: pending }] = await Promise.all([
    service.call(exportResponses, { secretKey }),
    service.call(listComments, {
      secretKey,
      query: { surveyId: surveyOf(tenant), withText: 'false', limit: '100' },
    }),
    service.call(listPendingScores, { secretKey, query: { limit: '100' } }),
  ]);
  await onChange(service.service)({ Records: await stream.read() });
  const lists = [exported.responses, said.comments, pending.scores];
  const of = ({ labels, channel }: { labels: unknown; channel: unknown }) => ({ labels, channel });
  const rows = lists.map((rows) => of(rows.find((row: { id: string }) => row.id === id)));
  const told = service.events.filter(({ detail }) => detail.answerId === id).at(-1)?.detail;
  return [...rows, { labels: told?.labels, channel: told?.channel }];
}

describe('200 with labels in a token', () => {
  it('stores, exports, lists, sends and pushes them, and ignores those of a page', async () => {
    const { body: minted } = await mint({ labels: LABELS });
    expect(minted.dropped).toBeUndefined();
    expect(JSON.stringify(minted.bindings)).not.toContain('large-2');
    const claimed = { labels: { model: 'small', extra: 'x' }, channel: 'slack', traits: { model: 'small' } };
    const { body: stored } = await answer(minted.tokens[surveyOf(tenant)], claimed);
    expect(stored.dropped).toEqual(['channel']);
    expect(await readEverywhere(stored.id)).toEqual(Array(4).fill({ labels: LABELS, channel: null }));

    const { body: plain } = await answer((await mint()).body.tokens[surveyOf(tenant)], claimed);
    expect(await readEverywhere(plain.id)).toEqual(Array(4).fill(NONE));
    const revision = { key: tenant.publishableKey, surveyId: surveyOf(tenant), sessionId: 's-1', ...claimed };
    const showToken = minted.tokens[surveyOf(tenant)];
    await service.call(reviseResponse, { body: { ...revision, showToken, revision: 1, rating: 4 } });
    expect(await readEverywhere(stored.id)).toEqual(Array(4).fill({ labels: LABELS, channel: null }));
  });

  it('lets a server name its channel, and drops and names an invalid one', async () => {
    const { secretKey } = tenant;
    const tokenOf = async () => (await mint({ labels: LABELS })).body.tokens[surveyOf(tenant)];
    const { body: stored } = await answer(await tokenOf(), { channel: 'slack' }, secretKey);
    expect(stored.dropped).toBeUndefined();
    expect(await readEverywhere(stored.id)).toEqual(Array(4).fill({ labels: LABELS, channel: 'slack' }));
    for (const channel of ['Slack', '', 7, `s${'l'.repeat(32)}`]) {
      const { status, body } = await answer(await tokenOf(), { channel }, secretKey);
      expect([status, body.dropped]).toEqual([201, ['channel']]);
    }
  });

  it('never fails because of a label: invalid ones and those without room are dropped and named', async () => {
    const { body } = await mint({
      labels: { ...LABELS, Bad: 'x', empty: '', nested: {}, c: '1', d: '2', e: '3' },
    });
    expect(body.dropped.sort()).toEqual(['labels.Bad', 'labels.e', 'labels.empty', 'labels.nested']);
    expect((await mint({ labels: ['x'] })).body.dropped).toEqual(['labels']);

    const long = (letter: string) => letter.repeat(64);
    const many = Object.fromEntries(
      ['a', 'b', 'c', 'd'].map((each) => [`${each}${'-'.repeat(31)}`, long(each)]),
    );
    const { body: full } = await mint({
      respondentId: `${someone()}-${'r'.repeat(240)}`,
      taskType: long('t'),
      traceId: 't-1',
      labels: { ...many },
      allowModelRequested: true,
    });
    const [token] = Object.values<string>(full.tokens);
    expect(token?.length).toBeLessThanOrEqual(1_024);
    expect(full.dropped).toEqual([`labels.d${'-'.repeat(31)}`]);
    expect(full.bindings[tenant.surveys[0]?.content.slug ?? ''].taskType).toBe(long('t'));
  });

  it('erases them with the answer', async () => {
    const respondentId = someone();
    const { body } = await mint({ respondentId, labels: { secret: 'ERASED-LABEL' } });
    await answer(body.tokens[surveyOf(tenant)], { channel: 'erased-channel' }, tenant.secretKey);
    await service.call(erase, { secretKey: tenant.secretKey, query: { respondentId } });
    expect(JSON.stringify(await scanAll(service.table, tenant.project.id))).not.toMatch(
      /ERASED-LABEL|erased-channel/,
    );
  });
});

describe('200 with labels in a link', () => {
  const askFor = (fields: object) => {
    const body = { respondentId: someone(), surveyId: surveyOf(tenant), sessionId: 's-1', ...fields };
    return service.call(deferredAskLink, { body, secretKey: tenant.secretKey });
  };

  it('adds them to the answer, whether from the form or a server', async () => {
    const { body: link } = await askFor({ labels: LABELS });
    expect(link.dropped).toBeUndefined();
    const { status } = await service.call(answerLink, {
      path: `/l/${link.showToken}`,
      rawBody: 'rating=3&labels=x&channel=slack',
    });
    expect(status).toBe(200);
    const query = { respondentId: link.respondentId };
    const { body } = await service.call(exportResponses, { secretKey: tenant.secretKey, query });
    expect(body.responses).toMatchObject([{ rating: 3, labels: LABELS, channel: null, linked: true }]);

    const { body: other } = await askFor({ labels: LABELS });
    const { body: stored } = await answer(other.showToken, { channel: 'mail' }, tenant.secretKey);
    expect(await readEverywhere(stored.id)).toEqual(Array(4).fill({ labels: LABELS, channel: 'mail' }));
  });

  it('fits ids first, then the task type, then labels in their order', async () => {
    const ids = { respondentId: `${someone()}-${'r'.repeat(200)}`, sessionId: 's'.repeat(220) };
    const { body } = await askFor({
      ...ids,
      traceId: 't'.repeat(120),
      taskType: 't'.repeat(50),
      labels: { long: 'x'.repeat(64), a: '1', b: '2' },
    });
    expect([body.ok, body.dropped]).toEqual([true, ['labels.long']]);
  });
});
