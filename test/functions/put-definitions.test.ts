import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { erase } from '../../functions/erase.ts';
import { listDefinitions } from '../../functions/list-definitions.ts';
import { onChange } from '../../functions/on-change.ts';
import { putDefinitions } from '../../functions/put-definitions.ts';
import { surveys } from '../../functions/runtime/parts/projects.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { openTestStream } from '../support/events/test-stream.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { createTestService, type Tenant } from '../support/service/test-service.ts';

const service = await createTestService();

const written = (slug: string, more: object = {}) => ({ slug, type: 'nps', question: 'Q?', ...more });

let tenant: Tenant;
let editor: { readonly text: string; readonly id: string };

beforeEach(async () => {
  tenant = await service.tenant({}, []);
  const scopes = ['results', 'contacts', 'surveys'] as const;
  const { text, stored } = await service.addKey('editor', tenant.project.id, { scopes });
  editor = { text, id: stored.id };
});

const put = (body: object, secretKey = editor.text) =>
  service.call(putDefinitions, { secretKey, body: { revision: 0, surveys: [], ...body } });
const read = async (query: object = {}) =>
  (await service.call(listDefinitions, { secretKey: editor.text, query: { ...query } })).body;
async function served(): Promise<string[]> {
  service.clock.advance(31_000);
  const { body } = await service.call(bootstrap, { body: { key: tenant.publishableKey, userId: 'ann' } });
  return body.surveys.map(({ slug }: { slug: string }) => slug);
}

describe('changing surveys from the console', () => {
  it('200 when it creates and changes the named surveys, leaves others, and returns every changed field', async () => {
    const first = await put({ surveys: [written('a', { limits: { quietPeriod: '7d' } }), written('b')] });
    expect([first.status, first.body]).toEqual([
      200,
      {
        revision: 1,
        created: ['a', 'b'],
        updated: [],
        unchanged: [],
        changes: ['a', 'b'].map((slug) => ({
          slug,
          action: 'created',
          fields: [
            { field: 'type', before: null, after: 'nps' },
            { field: 'status', before: null, after: 'active' },
          ],
        })),
        reordered: false,
      },
    ]);
    const scheduled = written('c', { startsAt: '2026-12-01', endsAt: '2026-12-01' });
    expect((await put({ revision: 1, surveys: [scheduled], dryRun: true })).body.changes[0].fields).toEqual([
      { field: 'type', before: null, after: 'nps' },
      { field: 'status', before: null, after: 'active' },
      { field: 'startsAt', before: null, after: '2026-12-01T00:00:00.000Z' },
      { field: 'endsAt', before: null, after: '2026-12-02T00:00:00.000Z' },
    ]);
    const changed = written('a', { question: 'New?', limits: { quietPeriod: '1h' } });
    const { body } = await put({ revision: 1, surveys: [changed, written('b')] });
    expect(body).toMatchObject({ revision: 2, created: [], updated: ['a'], unchanged: ['b'] });
    expect(body.changes).toEqual([
      {
        slug: 'a',
        action: 'updated',
        fields: [
          { field: 'question', before: 'Q?', after: 'New?' },
          { field: 'limits.quietPeriod', before: '7d', after: '1h' },
        ],
      },
    ]);
    await put({ revision: 2, surveys: [written('b', { status: 'archived' })] });
    expect(await served()).toEqual(['a']);
  });

  it('200 with the author in the list and in the log, which names fields without texts', async () => {
    await put({ surveys: [written('a')] });
    await put({ revision: 1, surveys: [written('a', { question: 'Secret words?' })] });
    const mark = { source: 'console', changedBy: editor.id, changedAt: expect.stringMatching(/Z$/) };
    expect(await read()).toMatchObject({ revision: 2, ...mark, lastChanges: { a: mark } });
    const log = await surveys(service.service).log(tenant.project.id);
    expect(log).toMatchObject([
      { revision: 2, by: editor.id, source: 'console', surveys: [{ slug: 'a', fields: ['question'] }] },
      { revision: 1, surveys: [{ slug: 'a', action: 'created' }] },
    ]);
    expect(JSON.stringify(log)).not.toContain('Secret words');
  });

  it('200 with dryRun: returns the changes and stores nothing', async () => {
    const { body } = await put({ surveys: [written('a')], dryRun: true });
    expect(body).toMatchObject({ revision: 0, created: ['a'] });
    expect(await read()).toMatchObject({ revision: 0, surveys: [] });
  });

  it('200 at any revision if nothing changes, as after a lost reply', async () => {
    const change = { revision: 0, surveys: [written('a')] };
    await put(change);
    await put({ revision: 1, surveys: [written('b')] });
    const again = await put(change);
    expect([again.status, again.body]).toMatchObject([200, { revision: 2, created: [], unchanged: ['a'] }]);
    expect((await read()).revision).toBe(2);
  });

  it('409 at another revision: nothing is stored, and details contain the current one', async () => {
    await put({ surveys: [written('a'), written('b')] });
    const { status, body } = await put({ surveys: [written('a', { question: 'Mine?' }), written('b')] });
    expect([status, body.error.code, body.error.details]).toEqual([409, 'surveys_changed', { revision: 1 }]);
    expect((await read()).surveys[0].question).toBe('Q?');
  });

  it('409 when the survey was erased in the meantime, so that nobody recreates it unknowingly', async () => {
    expect((await put({ surveys: [written('nps')] })).status).toBe(200);
    const { secretKey } = tenant;
    expect((await service.call(erase, { secretKey, query: { surveySlug: 'nps' } })).status).toBe(200);
    const late = await put({ revision: 1, surveys: [written('nps', { question: 'Again?' })] });
    expect(late.body.error).toMatchObject({ code: 'surveys_changed', details: { revision: 2 } });
    expect(await read()).toMatchObject({ revision: 2, surveys: [] });
    expect((await put({ revision: 2, surveys: [written('nps')] })).body.created).toEqual(['nps']);
  });

  it('lets one of twenty concurrent publishers succeed, and refuses the others', async () => {
    const each = await Promise.all(
      Array.from({ length: 20 }, (_, n) => put({ surveys: [written('a', { question: `${n}?` })] })),
    );
    expect(each.map(({ status }) => status).sort()).toEqual([200, ...new Array(19).fill(409)]);
  });

  it('sets the order of surveys of one priority, with new ones last by default', async () => {
    await put({ surveys: [written('a'), written('b')] });
    await put({ revision: 1, surveys: [written('c')] });
    expect(await served()).toEqual(['a', 'b', 'c']);
    const { body } = await put({ revision: 2, surveys: [written('d')], order: ['d', 'c'] });
    expect(body).toMatchObject({ created: ['d'], reordered: true });
    expect(await served()).toEqual(['d', 'c', 'a', 'b']);
    expect((await put({ order: ['d', 'c'] })).body).toMatchObject({ revision: 3, reordered: false });
  });

  it('400 with every problem at once, with the paths and texts of the command line', async () => {
    const { status, body } = await put({
      surveys: [
        written('a', { type: 'npx', qestion: 'x' }),
        written('b', { limits: { quietPeriod: 'soon' } }),
        written('b', { targeting: [{ trait: 'plan', op: 'in', value: 'pro' }] }),
      ],
      dryRun: 'yes',
    });
    expect(status).toBe(400);
    expect(body.error.issues).toEqual([
      {
        path: 'surveys[0].type',
        message: 'must be one of nps, csat, ces, pmf, thumbs, choice, open. Did you mean nps?',
      },
      { path: 'surveys[0].qestion', message: 'is not a field here. Did you mean question?' },
      { path: 'surveys[1].limits.quietPeriod', message: 'must be a duration such as 12h or 7d, or 0' },
      { path: 'surveys[2].targeting[0].value', message: 'must be a list if op is in' },
      { path: 'surveys[2].slug', message: 'must not be the slug of another survey of this file' },
      { path: 'dryRun', message: 'must be true or false' },
    ]);
  });

  it('400 for rules that apply to all surveys together, including stored ones', async () => {
    await put({ surveys: [written('a')] });
    const { body } = await put({
      revision: 1,
      surveys: [written('b'), written('a', { type: 'csat' })],
      order: ['b', 'none', 'b'],
    });
    expect(body.error.issues).toEqual([
      {
        path: 'surveys[1].type',
        message: 'You cannot change the type of an existing survey (nps). Create another survey instead.',
      },
      { path: 'order[1]', message: 'is not a survey of this project' },
      { path: 'order[2]', message: 'appears twice in the order' },
    ]);
    expect((await read()).revision).toBe(1);
  });

  it('400 for a changed retention period, which only the command line may set; the current one is accepted', async () => {
    const retention = { entries: [{ from: '2026-01-01T00:00:00.000Z', period: '13mo' }] };
    const created = [aSurvey({ retention }, { slug: 'a' })];
    await surveys(service.service).write(tenant.project.id, { created, updated: [] });
    const issue = (path: string) => ({
      path,
      message: 'can only be changed from the command line: canvass survey apply',
    });
    const changed = [{ retention: '35d' }, { retention: 'none' }, {}].map((fields) => written('a', fields));
    for (const survey of changed) {
      const both = [written('b', { retention: '35d' }), survey];
      const { status, body } = await put({ revision: 1, surveys: both });
      const issues = [0, 1].map((n) => issue(`surveys[${n}].retention`));
      expect([status, body.error.issues]).toEqual([400, issues]);
    }
    expect((await put({ revision: 1, surveys: [written('a', { retention: '13mo' })] })).status).toBe(200);
    expect((await read()).surveys).toMatchObject([{ slug: 'a', retention: '13mo' }]);
  });

  it('400 for more than 49 surveys', async () => {
    const many = Array.from({ length: 50 }, (_, n) => written(`s${n}`));
    expect((await put({ surveys: many })).body.error.issues).toEqual([
      { path: 'surveys', message: 'must not have more than 49 surveys' },
    ]);
    expect((await put({ surveys: many.slice(1) })).body.created).toHaveLength(49);
  });
});

/** See decision 142. */
describe('a malicious editor', () => {
  it('cannot make a link lead to an unsafe address: only a file may set one', async () => {
    const thanks = (url: string) => ({ thanks: { text: 'T', link: { label: 'L', url } } });
    for (const url of ['http://example.com', 'javascript:alert(1)', '//example.com', ' https://x']) {
      const { status, body } = await put({ surveys: [written('a', thanks(url))] });
      expect([status, body.error.issues[0].path]).toEqual([400, 'surveys[0].thanks.link.url']);
    }
    const localised = { locales: { de: thanks('http://example.com') } };
    expect((await put({ surveys: [written('a', localised)] })).body.error.issues).toEqual([
      { path: 'surveys[0].locales.de.thanks.link.url', message: 'must start with https://' },
    ]);
    const ofFile = aSurvey({}, { slug: 'a', ...thanks('http://e.com') });
    await service.projects.createSurvey(tenant.project.id, ofFile);
    const kept = written('a', { ...thanks('http://e.com'), question: 'Other?' });
    expect((await put({ revision: 1, surveys: [kept] })).status).toBe(200);
  });

  it('can leave texts that an earlier release accepted, but not write them', async () => {
    const link = { label: 'L', url: 'https://user:pw@a.example/' };
    const more = { question: 'A\u202eB', thanks: { text: 'T ', link } };
    const stored = aSurvey({ endsAt: '2026-12-01T00:00:00.000Z' }, { slug: 'a', ...more });
    await service.projects.createSurvey(tenant.project.id, stored);
    const [shown] = (await read()).surveys;
    const { body } = await put({ revision: 1, surveys: [{ ...shown, endsAt: '2026-12-01' }] });
    expect(body).toMatchObject({ revision: 1, unchanged: ['a'], changes: [] });
    const paused = await put({ revision: 1, surveys: [{ ...shown, status: 'paused' }] });
    expect(paused.body.changes).toMatchObject([{ fields: [{ field: 'status' }] }]);
    const refused = await put({ revision: 2, surveys: [{ ...shown, slug: 'b' }] });
    expect(refused.body.error.issues).toEqual([
      {
        path: 'surveys[0].question',
        message: 'must not have control characters or direction overrides',
      },
      { path: 'surveys[0].thanks.link.url', message: 'must not have a user name or password' },
    ]);
  });

  it('stores texts as texts: markup is returned unchanged in JSON', async () => {
    const question = '<img src=x onerror=alert(1)>"\'&lt;script>';
    await put({ surveys: [written('a', { question })] });
    const reply = await service.call(listDefinitions, { secretKey: editor.text });
    expect(reply.body.surveys[0].question).toBe(question);
    expect(reply.headers).toMatchObject({
      'content-type': expect.stringMatching(/^application\/json/),
      'x-content-type-options': 'nosniff',
    });
  });

  it.each([
    [
      'names of object prototypes',
      '{"surveys":[{"slug":"a","__proto__":{"type":"nps"}}]}',
      'surveys[0].__proto__',
    ],
    [
      'the same names in a map',
      '{"surveys":[{"slug":"a","type":"nps","question":"Q?","segments":{"constructor":["x"]}}]}',
      'surveys[0].segments.constructor',
    ],
    ['deep nesting', `{"surveys":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, 'surveys'],
  ])('400, not 500, for %s', async (_what, rawBody, path) => {
    const { status, body } = await service.call(putDefinitions, { secretKey: editor.text, rawBody });
    expect([status, body.error.issues.map((issue: { path: string }) => issue.path)]).toEqual([
      400,
      expect.arrayContaining([path]),
    ]);
  });

  it('cannot block the project with surveys that exceed a bootstrap reply', async () => {
    const quotes = '"'.repeat(3_900);
    const large = (n: number) => written(`s${n}`, { followUpQuestion: quotes });
    const many = Array.from({ length: 384 }, (_, n) => aSurvey({}, { ...large(n), type: 'nps' }));
    for (let at = 0; at < many.length; at += 48) {
      const created = many.slice(at, at + 48);
      await surveys(service.service).write(tenant.project.id, { created, updated: [] });
    }
    const { revision } = await read();
    const { status, body } = await put({ revision, surveys: [large(400), large(401)] });
    expect([status, body.error.issues]).toEqual([
      400,
      [{ path: 'surveys', message: expect.stringContaining('exceed the size limit by') }],
    ]);
  });

  it('cannot flood a person: cap and impressions are limits of the project', async () => {
    const eager = { limits: { ignoreQuietPeriod: true, quietPeriod: 0 }, repeat: '1s' };
    const slugs = ['a', 'b', 'c', 'd', 'e'];
    expect((await put({ surveys: slugs.map((slug) => written(slug, eager)) })).status).toBe(200);
    const key = tenant.publishableKey;
    const tokens = async () =>
      (await service.call(bootstrap, { body: { key, userId: 'ann' } })).body.showTokens;
    for (const n of [1, 2, 3]) {
      const [surveyId = '', showToken] = Object.entries(await tokens())[n] ?? [];
      await service.call(submitResponse, { body: { key, surveyId, showToken, rating: 5 } });
      service.clock.advance(5_000);
    }
    expect(await tokens()).toEqual({});
  });

  it('cannot use a key of one project on another', async () => {
    const other = await service.tenant({}, [aSurvey({}, { slug: 'theirs' })]);
    await put({ surveys: [written('theirs', { question: 'Mine now?' })] });
    const { body } = await service.call(listDefinitions, { secretKey: other.secretKey });
    expect(body.surveys[0].question).not.toBe('Mine now?');
  });
});

it('sends one event for a change, however often the stream repeats it, with names and without texts', async () => {
  const stream = openTestStream(service.table);
  onTestFinished(() => stream.close());
  const deliver = onChange(service.service);
  await stream.read();
  await put({ surveys: [written('a', { question: 'Secret words?' })] });
  await put({ revision: 1, surveys: [written('a', { question: 'More?' })], order: ['a'] });
  await put({ revision: 2, surveys: [written('a', { question: 'More?' })] });
  const records = await stream.read();
  await deliver({ Records: records });
  await deliver({ Records: records });
  const isOfUs = ({ detail }: { detail: object }) =>
    'projectId' in detail && detail.projectId === tenant.project.id;
  const told = service.events.filter((event) => event['detail-type'] === 'Survey Changed' && isOfUs(event));
  const byId = new Map(told.map(({ detail }) => [detail.id, detail]));
  expect([told.length, byId.size]).toEqual([4, 2]);
  expect([...byId.values()]).toMatchObject([
    { by: editor.id, source: 'console', revision: 1, surveys: [{ surveySlug: 'a', action: 'created' }] },
    {
      revision: 2,
      surveys: [{ surveySlug: 'a', action: 'updated', fields: ['question'] }],
      reordered: false,
    },
  ]);
  expect(JSON.stringify(told)).not.toContain('Secret words');
});
