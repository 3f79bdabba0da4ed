import fc from 'fast-check';
import { expect, it } from 'vitest';
import { listDefinitions } from '../../functions/list-definitions.ts';
import { putDefinitions } from '../../functions/put-definitions.ts';
import { createProjectStore } from '../../shared/data/projects/project-store.ts';
import { aKey, aSurvey } from '../support/fixtures/builders.ts';
import { createRecordedService } from '../support/service/recorded-service.ts';

const { service, recording } = await createRecordedService();
const projects = createProjectStore(service.table.table, service.table.readIndex);

const slugsOf = (surveys: readonly { readonly slug: string }[]) => surveys.map(({ slug }) => slug);

async function aTenant(count: number) {
  const surveys = Array.from({ length: count }, (_, n) => aSurvey({}, { slug: `s${n}` }));
  const { project, secretKey } = await service.tenant({}, surveys);
  const { text: viewer, stored } = aKey('reader', project.id, { scopes: ['results'] });
  await projects.addKey(project.id, stored);
  const list = (query: Record<string, string> = {}, key = viewer) =>
    service.call(listDefinitions, { secretKey: key, query });
  const put = (body: object) => service.call(putDefinitions, { secretKey, body });
  return { project, secretKey, viewer, list, put };
}

it('200: each survey as a file writes it, to viewers too; surveys from before are the command line’s', async () => {
  const survey = aSurvey(
    { limits: { quietPeriodMs: 3_600_000 }, repeat: { answeredMs: 86_400_000, dismissedMs: 86_400_000 } },
    { slug: 'a' },
  );
  const { project } = await service.tenant({}, [survey]);
  const { text, stored } = aKey('reader', project.id, { scopes: ['results'] });
  await projects.addKey(project.id, stored);
  const { status, body } = await service.call(listDefinitions, { secretKey: text });
  const { content } = survey;
  expect([status, body]).toEqual([
    200,
    {
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

it('what it lists is what may be written: put as it is, nothing changes', async () => {
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
      // Half a character is refused, and nothing else of these.
      if (made.status === 400) return;
      revision = made.body.revision;
      const { surveys } = (await list({ limit: '100' })).body;
      const again = await put({ revision: 0, surveys: surveys.slice(-40) });
      expect([again.status, again.body.changes]).toEqual([200, []]);
    }),
    { numRuns: 12 },
  );
});

it('409: pages are of one revision, and there was a change between them', async () => {
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

it('400: a cursor of another question', async () => {
  const { list } = await aTenant(3);
  const { nextCursor: cursor } = (await list({ limit: '2' })).body;
  expect((await list({ cursor: 'none' })).status).toBe(400);
  const other = await aTenant(1);
  expect((await other.list({ cursor })).status).toBe(400);
});

it('reads one item where nothing changed, however large the surveys are, and all of them once where it has', async () => {
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
