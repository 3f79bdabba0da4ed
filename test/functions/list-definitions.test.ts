import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listDefinitions } from '../../functions/list-definitions.ts';
import { putDefinitions } from '../../functions/put-definitions.ts';
import { surveys } from '../../functions/runtime/parts/projects.ts';
import { personScopes } from '../../shared/domain/project.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { aConsoleTenant, EDITOR, VIEWER } from '../support/fixtures/signed-in.ts';
import { createRecordedService } from '../support/service/recorded-service.ts';
import type { CallOptions } from '../support/service/test-service.ts';

const { service, recording } = await createRecordedService();

const slugsOf = (surveys: readonly { readonly slug: string }[]) => surveys.map(({ slug }) => slug);

async function aTenant(count: number) {
  const made = Array.from({ length: count }, (_, n) => aSurvey({}, { slug: `s${n}` }));
  const { project, secretKey } = await service.tenant({}, made);
  const { text: viewer } = await service.addKey('reader', project.id, { scopes: ['results'] });
  const list = (query: Record<string, string> = {}, key = viewer) =>
    service.call(listDefinitions, { secretKey: key, query });
  const put = (body: object) => service.call(putDefinitions, { secretKey, body });
  return { project, secretKey, viewer, list, put };
}

it('200 with surveys in file format, to viewers too; older surveys count as changed by the command line', async () => {
  const survey = aSurvey(
    { limits: { quietPeriodMs: 3_600_000 }, repeat: { answeredMs: 86_400_000, dismissedMs: 86_400_000 } },
    { slug: 'a' },
  );
  const { project } = await service.tenant({}, [survey]);
  const { text } = await service.addKey('reader', project.id, { scopes: ['results'] });
  const { status, body } = await service.call(listDefinitions, { secretKey: text });
  const { content } = survey;
  expect([status, body]).toEqual([
    200,
    {
      role: 'viewer',
      comments: false,
      revision: 1,
      order: ['a'],
      surveys: [{ ...content, status: 'active', repeat: '1d', limits: { quietPeriod: '1h' } }],
      source: 'apply',
      changedBy: null,
      changedAt: null,
      lastChanges: { a: { id: survey.id, source: 'apply', changedBy: null, changedAt: null } },
    },
  ]);
});

const person = (kind: 'reader' | 'editor', comments: boolean) => ({
  kind,
  scopes: personScopes(kind, comments),
});

it.each([
  ['a link to numbers', person('reader', false), 'viewer', false],
  ['a link to what people wrote', person('reader', true), 'viewer', true],
  ['an editor key', person('editor', false), 'editor', false],
  ['an editor key with comments', person('editor', true), 'editor', true],
  ['a secret key', { kind: 'secret' }, 'viewer', true],
  ['a secret key that names surveys', { kind: 'secret', scopes: ['results', 'surveys'] }, 'editor', false],
] as const)("200 with the caller's permissions: %s", async (_, { kind, ...terms }, role, comments) => {
  const { project } = await service.tenant({}, []);
  const { text } = await service.addKey(kind, project.id, terms);
  const { body } = await service.call(listDefinitions, { secretKey: text });
  expect(body).toMatchObject({ role, comments });
});

it.each([
  ['an editor', EDITOR, {}, 'editor', true],
  ['a viewer', VIEWER, {}, 'viewer', false],
  ['a viewer where viewers see people', VIEWER, { consoleComments: 'all' }, 'viewer', true],
] as const)(
  '200 with the permissions of a person who is signed in: %s',
  async (_, claims, terms, role, comments) => {
    const tenant = await aConsoleTenant(service, terms, []);
    const { body } = await service.call(listDefinitions, { headers: await tenant.as(claims) });
    expect(body).toMatchObject({ role, comments });
  },
);

describe('the change log', () => {
  const ANN = { ...EDITOR, sub: 'u-ann', email: 'ann@example.com', email_verified: true };
  const change = (revision: number) => ({
    revision,
    surveys: [{ slug: 'a', type: 'nps', question: `Secret ${revision}?` }],
  });

  async function changedBy(count: number) {
    const tenant = await aConsoleTenant(service, {}, []);
    const headers = await tenant.as(ANN);
    for (let revision = 0; revision < count; revision++)
      await service.call(putDefinitions, { headers, body: change(revision) });
    return {
      ...tenant,
      log: async (request: CallOptions = { headers }) => {
        const { body } = await service.call(listDefinitions, { ...request, query: { log: 'true' } });
        return body;
      },
    };
  }

  it('is returned on request: the last ten changes, newest first, with names of fields and without texts', async () => {
    const { log, as } = await changedBy(12);
    const { body } = await service.call(listDefinitions, { headers: await as(ANN) });
    expect(body).not.toHaveProperty('log');
    const changes = (await log()).log;
    expect(changes.map(({ revision }: { revision: number }) => revision)).toEqual(
      Array.from({ length: 10 }, (_, back) => 12 - back),
    );
    expect(changes[0]).toEqual({
      revision: 12,
      source: 'console',
      changedBy: 'ann@example.com',
      changedAt: expect.stringMatching(/Z$/),
      surveys: [{ slug: 'a', action: 'updated', fields: ['question'] }],
      reordered: false,
    });
    expect(JSON.stringify(changes)).not.toContain('Secret');
  });

  it('begins with the first change', async () => {
    const { log } = await changedBy(1);
    expect((await log()).log).toMatchObject([{ revision: 1, surveys: [{ slug: 'a', action: 'created' }] }]);
  });

  it('leaves out a change of fifty revisions ago whose slot was not reused since', async () => {
    const { project, log } = await changedBy(2);
    // Simulates an older release, which does not record changes.
    for (let revision = 2; revision < 53; revision++)
      await surveys(service.service).write(project.id, { created: [], updated: [] }, revision);
    const body = await log();
    expect([body.revision, body.log]).toEqual([53, []]);
  });

  it('names colleagues to colleagues, but not to holders of a reader link', async () => {
    const { project, as, log } = await changedBy(1);
    const namesIn = async (request: CallOptions) => {
      const body = await log(request);
      return [body, body.lastChanges.a, body.log[0]].map(({ changedBy: name }) => name);
    };
    const linkTo = async (comments: boolean) => {
      const { text } = await service.addKey('reader', project.id, {
        scopes: personScopes('reader', comments),
      });
      service.clock.advance(2_000);
      return { secretKey: text };
    };
    const three = (name: string | null) => [name, name, name];
    expect(await namesIn({ headers: await as(VIEWER) })).toEqual(three('ann@example.com'));
    expect(await namesIn(await linkTo(true))).toEqual(three('ann@example.com'));
    expect(await namesIn(await linkTo(false))).toEqual(three(null));
  });

  it('costs one more call, which reads ten items', async () => {
    const { log } = await changedBy(3);
    await log();
    recording.take();
    await log();
    expect(recording.take().map(({ operation }) => operation)).toEqual(['GetItem', 'BatchGetItem']);
  });
});

it('returns definitions that can be written back without a change', async () => {
  const scalar = fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean());
  const drafts = fc.record(
    {
      question: fc.string({ minLength: 1, unit: 'grapheme' }),
      followUpQuestion: fc.string({ minLength: 1, unit: 'binary' }),
      samplePercent: fc.integer({ min: 0, max: 100 }),
      priority: fc.integer(),
      targeting: fc.array(fc.record({ trait: fc.string(), op: fc.constant('eq'), value: scalar }), {
        maxLength: 3,
      }),
      repeat: fc.constantFrom('90d', 'session', 'never', { answered: '90d', dismissed: '2d' }),
      limits: fc.constantFrom({}, { maxResponses: 3 }, { quietPeriod: '90m' }, { quietPeriod: 0 }),
      segments: fc.constantFrom({ plan: ['pro', 'free'] }, { seats: [1, 2] }, {}),
      startsAt: fc.constant('2026-12-01'),
      status: fc.constantFrom('draft', 'active', 'paused', 'archived'),
    },
    { requiredKeys: ['question'] },
  );
  const { list, put } = await aTenant(0);
  let revision = 0;
  await fc.assert(
    fc.asyncProperty(drafts, async (draft) => {
      const made = await put({ revision, surveys: [{ slug: `s-${revision}`, type: 'nps', ...draft }] });
      // Only lone surrogates are refused.
      if (made.status === 400) return;
      revision = made.body.revision;
      const listed = (await list({ limit: '100' })).body.surveys;
      const again = await put({ revision: 0, surveys: listed.slice(-40) });
      expect([again.status, again.body.changes]).toEqual([200, []]);
    }),
    { numRuns: 12 },
  );
});

it('409 when the surveys changed between pages, which all have one revision', async () => {
  const { list, put } = await aTenant(7);
  const first = (await list({ limit: '3' })).body;
  expect([slugsOf(first.surveys), first.order]).toEqual([first.order.slice(0, 3), expect.any(Array)]);
  const second = (await list({ limit: '3', cursor: first.nextCursor })).body;
  const third = (await list({ limit: '3', cursor: second.nextCursor })).body;
  expect(slugsOf([...first.surveys, ...second.surveys, ...third.surveys])).toEqual(first.order);
  expect(third.nextCursor).toBeUndefined();
  await put({ revision: first.revision, surveys: [{ slug: 'new', type: 'nps', question: 'Q?' }] });
  const { status, body } = await list({ limit: '3', cursor: first.nextCursor });
  expect([status, body.error.code, body.error.details]).toEqual([
    409,
    'surveys_changed',
    { revision: first.revision + 1 },
  ]);
});

it('400 for a cursor of another query', async () => {
  const { list } = await aTenant(3);
  const { nextCursor: cursor } = (await list({ limit: '2' })).body;
  expect((await list({ cursor: 'none' })).status).toBe(400);
  const other = await aTenant(1);
  expect((await other.list({ cursor })).status).toBe(400);
});

it('reads one item when nothing changed, however large the surveys, and all of them once after a change', async () => {
  const { list, put, viewer } = await aTenant(3);
  await list();
  recording.take();
  await list();
  expect(recording.take().map(({ operation }) => operation)).toEqual(['GetItem']);
  await put({ revision: 3, surveys: [{ slug: 'new', type: 'nps', question: 'Q?' }] });
  recording.take();
  await list({}, viewer);
  await list({}, viewer);
  expect(recording.take().map(({ operation }) => operation)).toEqual(['Query', 'GetItem', 'GetItem']);
});
