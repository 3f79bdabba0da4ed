import { beforeEach, describe, expect, it } from 'vitest';
import { getResults } from '../../functions/get-results.ts';
import { onChange } from '../../functions/on-change.ts';
import { DAY, HOUR } from '../../shared/domain/duration.ts';
import { aRecord, type Image, insertsOf } from '../support/fixtures/a-stream.ts';
import { aToken, respond } from '../support/fixtures/answered.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { countShows, report, show, shownRows } from '../support/fixtures/shown.ts';
import { surveyOf } from '../support/fixtures/tokens.ts';
import { createTestService, type Tenant } from '../support/service/test-service.ts';

let tenant: Tenant;
const service = await createTestService();
beforeEach(async () => {
  const limits = { ...NO_LIMITS, maxShows: 0 };
  tenant = await service.tenant({ limits, rates: { publishable: 0, secret: 0 } }, [aSurvey(), aSurvey()]);
});

const consume = (...Records: ReturnType<typeof aRecord>[]) => onChange(service.service)({ Records });

async function itemOf(of = tenant): Promise<Image> {
  const [row, ...more] = await shownRows(service, of);
  expect(more).toEqual([]);
  return row ?? {};
}

async function streamed(report: () => Promise<unknown>) {
  const before = (await shownRows(service, tenant))[0];
  await report();
  return aRecord(before, await itemOf());
}

async function resultsOf(surveyId = surveyOf(tenant)) {
  const { secretKey } = tenant;
  const day = new Date(service.clock.now()).toISOString().slice(0, 10);
  const query = { surveyId, from: day, to: day };
  return (await service.call(getResults, { secretKey, query })).body;
}

describe('results', () => {
  it('have no impressions if none were reported, and no response rate', async () => {
    await respond(service, tenant, 'bob');
    await onChange(service.service)(await insertsOf(service.table, tenant.project.id));
    expect(await resultsOf()).toMatchObject({ responses: 1, shows: null, responseRate: null });
  });

  it('count each impression once, however often its record is delivered, and by survey', async () => {
    const other = tenant.surveys[1]?.id ?? '';
    const records = [
      await streamed(() => show(service, tenant, 'ann')),
      await streamed(() => show(service, tenant, 'ann')),
      await streamed(() => show(service, tenant, 'ann', other)),
    ];
    await consume(...records);
    await consume(...records.slice(1));
    await consume(...records.slice(0, 2));
    expect((await resultsOf()).shows).toBe(2);
    expect((await resultsOf(other)).shows).toBe(1);
  });

  it('do not count a repeated report', async () => {
    const { showToken } = await show(service, tenant, 'ann');
    await consume(aRecord(undefined, await itemOf()));
    service.clock.advance(1_000);
    await consume(await streamed(() => report(service, tenant, showToken)));
    expect((await resultsOf()).shows).toBe(1);
  });

  it('count an impression on the day on which its token was issued', async () => {
    const showToken = await aToken(service, tenant, 'ann');
    service.clock.advance(18 * HOUR);
    await consume(await streamed(() => report(service, tenant, showToken)));
    expect((await resultsOf()).shows).toBeNull();
    service.clock.advance(-18 * HOUR);
    const { shows, series } = await resultsOf();
    expect([shows, series.map((point: { shows: number }) => point.shows)]).toEqual([1, [1]]);
  });

  it('have the ratio of responses to impressions as the response rate, at most 1', async () => {
    const [one, two, three] = ['ann', 'bob', 'cy'];
    for (const person of [one, two, three]) await show(service, tenant, person ?? '');
    await respond(service, tenant, 'ann');
    await onChange(service.service)(await insertsOf(service.table, tenant.project.id));
    expect(await resultsOf()).toMatchObject({ responses: 1, shows: 3, responseRate: 1 / 3 });
    for (const person of ['dan', 'eve', 'fay']) await respond(service, tenant, person);
    await onChange(service.service)(await insertsOf(service.table, tenant.project.id));
    expect(await resultsOf()).toMatchObject({ responses: 4, shows: 3, responseRate: 1 });
  });

  it('do not count for a deleted survey or project', async () => {
    await show(service, tenant, 'ann');
    const item = await itemOf();
    const gone = {
      ...item,
      pk: String(item.pk).replace(tenant.project.id, 'gone'),
      shows: new Set(['sv_x#1.a']),
    };
    await consume(aRecord(undefined, gone), aRecord(item, { ...item, shows: new Set(['sv_gone#1.a']) }));
    const rows = await service.table.table.query({ partition: `P#${tenant.project.id}#RESULTS` });
    expect(rows).toEqual([]);
  });
});

describe('impressions of one person and survey', () => {
  it('are limited to the newest ten; the stream record of the pruning changes nothing', async () => {
    for (let times = 0; times < 13; times += 1) {
      service.clock.advance(1_000);
      await show(service, tenant, 'ann');
    }
    await show(service, tenant, 'ann', tenant.surveys[1]?.id);
    const full = await itemOf();
    await consume(aRecord(undefined, full));
    expect(await countShows(service, tenant)).toBe(11);
    const pruned = await itemOf();
    const pruning = aRecord(full, pruned);
    await consume(pruning);
    expect(await itemOf()).toEqual(pruned);
    expect((await resultsOf()).shows).toBe(13);
  });

  it('stay if they are added during pruning', async () => {
    const tokens = await Promise.all(Array.from({ length: 12 }, () => aToken(service, tenant, 'ann')));
    for (const token of tokens) await report(service, tenant, token);
    const full = await itemOf();
    service.clock.advance(1_000);
    const fresh = await Promise.all(Array.from({ length: 6 }, () => aToken(service, tenant, 'ann')));
    await Promise.all([
      consume(aRecord(undefined, full)),
      ...fresh.map((token) => report(service, tenant, token)),
    ]);
    const item = await itemOf();
    expect(await countShows(service, tenant)).toBe(16);
    await consume(aRecord(full, item));
    const newest = [...((await itemOf()).shows as Set<string>)].filter(
      (text) => !(full.shows as Set<string>).has(text),
    );
    expect([await countShows(service, tenant), newest.length]).toEqual([10, 6]);
    expect((await resultsOf()).shows).toBe(18);
  });

  it('are not counted again when a pruned one is reported again', async () => {
    const tokens: string[] = [];
    for (let times = 0; times < 11; times += 1) {
      service.clock.advance(1_000);
      tokens.push((await show(service, tenant, 'ann')).showToken);
    }
    await consume(aRecord(undefined, await itemOf()));
    const again = await streamed(() => report(service, tenant, tokens[0] ?? ''));
    expect(await countShows(service, tenant)).toBe(11);
    await consume(again);
    expect(await countShows(service, tenant)).toBe(10);
    expect((await resultsOf()).shows).toBe(11);
  });

  it('from before the window are removed with the next one', async () => {
    const timed = await createTestService();
    const own = await timed.tenant({ limits: NO_LIMITS });
    await show(timed, own, 'ann');
    timed.clock.advance(31 * DAY);
    await show(timed, own, 'ann');
    const [row] = await shownRows(timed, own);
    await onChange(timed.service)({ Records: [aRecord(undefined, row)] });
    expect(await countShows(timed, own)).toBe(1);
  });

  it('are pruned later if pruning fails, which delays nothing', async () => {
    for (let times = 0; times < 11; times += 1) {
      service.clock.advance(1_000);
      await show(service, tenant, 'ann');
    }
    const item = await itemOf();
    const gone = { ...item, sk: '' };
    await consume(aRecord(undefined, gone));
    expect(service.logs.some((line) => line.includes('failed to prune impressions'))).toBe(true);
    expect((await resultsOf()).shows).toBe(11);
    await consume(await streamed(() => show(service, tenant, 'ann')));
    expect(await countShows(service, tenant)).toBe(10);
  });
});
