import { expect, it } from 'vitest';
import { listSurveys } from '../../functions/list-surveys.ts';
import { projects } from '../../functions/runtime/parts/projects.ts';
import { createPurgedDefinitions } from '../../shared/data/privacy/purged-definitions.ts';
import { SETTINGS_LIFETIME_MS } from '../../shared/domain/project.ts';
import { aResponseRow, deliver } from '../support/fixtures/a-stream.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { createTestService, type Tenant } from '../support/service/test-service.ts';

const service = await createTestService();

const list = ({ secretKey }: Tenant, query: string = '') => service.call(listSurveys, { secretKey, query });

it('200 with all surveys, their responses and segments', async () => {
  const identityKind = ['identified', 'anon-device', 'anon-conversation'];
  const segments = [
    { name: 'plan', values: [{ text: 'pro' }, { text: 'old', retired: true }] },
    { name: 'country', values: [{ text: 'ch' }], retired: true },
    { name: 'model', from: 'label' as const, values: [{ text: 'a' }] },
  ];
  const reasons = [{ code: 'slow', label: 'It was slow' }];
  const tenant = await service.tenant({}, [
    aSurvey({ id: 'sv_a', segments, reasonCodes: ['rude', 'slow'] }, { slug: 'a', reasons }),
    aSurvey({ id: 'sv_b', status: 'archived' }, { slug: 'b', type: 'ces' }),
  ]);
  const row = { projectId: tenant.project.id, surveyId: 'sv_a' };
  await deliver(service, [
    aResponseRow(row),
    aResponseRow({ ...row, source: 'import' }),
    aResponseRow({ ...row, identityKind: 'model-requested' }),
    aResponseRow({ ...row, type: 'dismissal' }),
  ]);
  service.clock.advance(SETTINGS_LIFETIME_MS);
  const question = 'How likely are you to recommend us?';
  expect((await list(tenant)).body.surveys).toEqual([
    {
      id: 'sv_a',
      slug: 'a',
      type: 'nps',
      question,
      status: 'active',
      scale: { min: 0, max: 10 },
      responses: 2,
      keeps: null,
      completeFrom: null,
      segments: ['identityKind', 'plan', 'model'],
      segmentSources: { plan: 'trait', model: 'label' },
      segmentValues: { identityKind, plan: ['pro'], model: ['a'] },
      reasons: [
        { code: 'slow', label: 'It was slow' },
        { code: 'rude', label: 'rude' },
      ],
    },
    {
      id: 'sv_b',
      slug: 'b',
      type: 'ces',
      question,
      status: 'archived',
      scale: { min: 1, max: 7 },
      responses: 0,
      keeps: null,
      completeFrom: null,
      segments: ['identityKind'],
      segmentSources: {},
      segmentValues: { identityKind },
      reasons: [],
    },
  ]);
});

it("200 with the project's display name", async () => {
  const plain = await service.tenant({ name: 'Shop prod' });
  const { id } = plain.project;
  expect((await list(plain)).body.project).toEqual({ id, name: 'Shop prod', accent: null });
  const shown = await service.tenant({ name: 'Shop prod', displayName: 'Shop', accent: '#00aa77' });
  expect((await list(shown)).body.project).toMatchObject({ name: 'Shop', accent: '#00aa77' });
});

it('200 without surveys that are being purged, and with new ones', async () => {
  const tenant = await service.tenant({}, [aSurvey(), aSurvey()]);
  const [gone, kept] = tenant.surveys.map(({ id }) => id);
  await list(tenant);
  await createPurgedDefinitions(service.table.table).mark(
    { projectId: tenant.project.id, surveyId: gone },
    '2026-11-20T00:00:00.000Z',
  );
  const made = aSurvey();
  await projects(service.service).createSurvey(tenant.project.id, made);
  service.clock.advance(SETTINGS_LIFETIME_MS);
  const { body } = await list(tenant);
  expect(body.surveys.map(({ id }: { id: string }) => id).sort()).toEqual([kept, made.id].sort());
});

it('400 for any parameter', async () => {
  const { status, body } = await list(await service.tenant(), 'status=active');
  expect(status).toBe(400);
  expect(body.error.issues).toEqual([{ path: 'status', message: 'is not a parameter of this route' }]);
});

it('200 with the choices of a survey of type choice, followed by earlier ones', async () => {
  const choicesEver = [{ code: 'old', label: 'Old' }];
  const tenant = await service.tenant({}, [aSurvey({ choicesEver }, { type: 'choice' })]);
  const { body } = await list(tenant);
  expect(body.surveys).toMatchObject([
    {
      scale: { min: 0, max: 3 },
      choices: [
        { code: 'price', label: 'Too expensive', low: true, rating: 1 },
        { code: 'missing', rating: 2 },
        { code: 'other', rating: 3 },
        { code: 'old', label: 'Old', rating: 0 },
      ],
    },
  ]);
});
