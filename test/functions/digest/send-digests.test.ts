import { beforeEach, expect, it } from 'vitest';
import { type DigestRun, sendDigests } from '../../../functions/digest/send-digests.ts';
import { createLogger } from '../../../functions/runtime/logger.ts';
import type { TopicMessage } from '../../../shared/data/aws/topic-publisher.ts';
import { collectEvents } from '../../support/events/collected-events.ts';
import { aResponseRow, deliver } from '../../support/fixtures/a-stream.ts';
import { createTestService, type Tenant, type TestService } from '../../support/service/test-service.ts';

const MONDAY = { at: '2026-11-16T07:00:00Z' };
const URL = 'https://surveys.example.com';

/** Uses a separate table, because a run reads every project. */
let test: TestService;
let told: ReturnType<typeof collectEvents>;
let mails: TopicMessage[];
let lines: string[];
let pauses: number[];
let run: DigestRun;
let [shop, search]: Tenant[] = [];

beforeEach(async () => {
  told = collectEvents();
  [mails, lines, pauses] = [[], [], []];
  test = await createTestService({
    config: { events: { includeText: false } },
    eventOutlet: told.outlet,
    log: createLogger((line) => lines.push(line)),
  });
  shop = await test.tenant({ name: 'Corner shop' });
  search = await test.tenant({ name: 'Süche\n' });
  await test.tenant({ name: 'probe', probe: true });
  await answer(shop, 3);
  run = {
    service: test.service,
    url: URL,
    publish: async (mail) => void mails.push(mail),
    pause: async (ms) => void pauses.push(ms),
  };
});

const answer = (tenant: Tenant | undefined, rating: number) =>
  deliver(test, [
    aResponseRow({
      projectId: tenant?.project.id ?? '',
      surveyId: tenant?.surveys[0]?.id ?? '',
      at: '2026-11-10T12:00:00.000Z',
      rating,
    }),
  ]);
const idOf = (tenant: Tenant | undefined) => tenant?.project.id ?? '';
const digests = () => told.events.filter((event) => event['detail-type'] === 'Survey Digest');
const toldOf = (tenant: Tenant | undefined) =>
  digests().filter(({ detail }) => detail.projectId === idOf(tenant));

it("sends an event that matches its schema and the same text by mail to each project except the synthetic monitor's", async () => {
  await sendDigests(run, MONDAY);
  expect(digests()).toHaveLength(2);
  expect(toldOf(shop)).toMatchObject([
    {
      'detail-type': 'Survey Digest',
      detail: {
        id: `${idOf(shop)}-digest-2026-W46`,
        at: '2026-11-16T00:00:00.000Z',
        deployment: 'canvass-test',
        week: '2026-W46',
        surveys: [{ responses: 1, lowRatings: 1 }],
      },
    },
  ]);
  expect(toldOf(search)).toMatchObject([{ detail: { surveys: [] } }]);
  expect(mails.map(({ subject, attributes }) => [subject, attributes]).sort()).toEqual([
    ['Survey results, Nov 9 to 15, 2026: Corner shop', { projectId: idOf(shop) }],
    ['Survey results, Nov 9 to 15, 2026: S?che', { projectId: idOf(search) }],
  ]);
  const own = mails.find(({ attributes }) => attributes.projectId === idOf(shop));
  expect(own?.text).toContain('1 response (0 the week before), 1 low rating');
  expect(own?.text).toContain(`${URL}/results#project=${idOf(shop)}&from=2026-11-09&to=2026-11-15\n`);
});

it('sends the same id and time when it is repeated, with current numbers', async () => {
  await sendDigests(run, MONDAY);
  await answer(shop, 9);
  test.clock.advance(60_000);
  await sendDigests(run, { week: '2026-W46' });
  const [first, second] = toldOf(shop);
  expect(second?.detail).toMatchObject({ id: first?.detail.id, at: first?.detail.at });
  expect(second?.detail.surveys).toMatchObject([{ responses: 2 }]);
});

it('chooses the week before one that has not ended yet in time zones east of UTC+8', async () => {
  await sendDigests(run, { at: '2026-11-15T19:00:00Z' });
  expect(toldOf(shop)).toMatchObject([{ detail: { week: '2026-W45' } }]);
});

it.each([
  ['2026-11-16T07:00:00Z', 'Europe/Vienna', 2],
  ['2026-11-15T19:00:00Z', 'Pacific/Auckland', 2],
  ['2026-11-16T16:00:00Z', 'Pacific/Auckland', 0],
  ['2026-11-17T07:00:00Z', 'Europe/Vienna', 0],
  ['2026-11-22T08:00:00Z', 'UTC', 0],
])('runs every day and sends on Mondays of its time zone: %s in %s', async (at, timeZone, count) => {
  await sendDigests(run, { at, timeZone });
  expect(digests()).toHaveLength(count);
});

it('sends only to the given projects when started by hand', async () => {
  await sendDigests(run, { week: '2026-W46', projects: [idOf(search), 'none'] });
  expect(digests().map(({ detail }) => detail.projectId)).toEqual([idOf(search)]);
});

it('retries only failed steps: the event is sent once, and the mail has the same numbers', async () => {
  let failing = 2;
  const publish = async (mail: TopicMessage) => {
    if (mail.attributes.projectId === idOf(shop) && failing-- > 0) {
      await answer(shop, 9);
      throw new Error('SNS is away');
    }
    mails.push(mail);
  };
  await sendDigests({ ...run, publish }, MONDAY);
  expect(mails).toHaveLength(2);
  expect(mails.find(({ attributes }) => attributes.projectId === idOf(shop))?.text).toContain('1 response ');
  expect(pauses).toEqual([60_000, 60_000]);
  expect(toldOf(shop)).toMatchObject([{ detail: { surveys: [{ responses: 1 }] } }]);
});

it('fails after all other projects, naming those that failed', async () => {
  const publish = async (mail: TopicMessage) => {
    if (mail.attributes.projectId === idOf(shop)) throw new Error('SNS is away');
    mails.push(mail);
  };
  await expect(sendDigests({ ...run, publish }, MONDAY)).rejects.toThrow(
    `digests of 2026-W46 failed: ${idOf(shop)}`,
  );
  expect(mails).toHaveLength(1);
  const failed = lines.map((line) => JSON.parse(line)).filter(({ message }) => message === 'digest failed');
  expect(failed).toHaveLength(3);
  expect(failed[0]).toMatchObject({ projectId: idOf(shop), week: '2026-W46' });
});
