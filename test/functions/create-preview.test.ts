import { beforeEach, describe, expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { createPreview } from '../../functions/create-preview.ts';
import { listDefinitions } from '../../functions/list-definitions.ts';
import { createProjectStore } from '../../shared/data/projects/project-store.ts';
import { HOUR, SECOND } from '../../shared/domain/duration.ts';
import { aKey, aSurvey } from '../support/fixtures/builders.ts';
import { codeOf } from '../support/fixtures/submission.ts';
import { scanAll } from '../support/scan-all.ts';
import { createTestService, type Tenant } from '../support/service/test-service.ts';

const service = await createTestService();
const projects = createProjectStore(service.table.table, service.table.readIndex);

const DRAFT = {
  slug: 'orders',
  type: 'thumbs',
  question: '<img src=x onerror=alert(1)>',
  presentation: 'banner',
  trigger: 'manual',
  pages: ['/orders/**'],
  samplePercent: 0,
  repeat: '90d',
  status: 'draft',
  endsAt: '2020-01-01T00:00:00Z',
  limits: { maxResponses: 1 },
} as const;

let tenant: Tenant;
let editor: string;

beforeEach(async () => {
  tenant = await service.tenant({}, [aSurvey({}, { slug: 'orders' })]);
  editor = await anEditor(tenant);
});

async function anEditor({ project }: Tenant): Promise<string> {
  const { text, stored } = aKey('editor', project.id, { scopes: ['results', 'contacts', 'surveys'] });
  await projects.addKey(project.id, stored);
  return text;
}

const make = (survey: object = DRAFT, secretKey = editor) =>
  service.call(createPreview, { secretKey, body: { survey } });
const show = (preview: unknown, more: object = {}, key = tenant.publishableKey) =>
  service.call(bootstrap, { body: { key, preview, types: 'thumbs', userId: 'ann', ...more } });
const draftsOf = async ({ project }: Tenant) =>
  (await scanAll(service.table, project.id)).filter(({ type }) => type === 'draft');

describe('a preview', () => {
  it('201: a token for an hour, with which bootstrap answers the draft', async () => {
    const made = await make();
    const expiresAt = new Date(Math.floor((service.clock.now() + HOUR) / SECOND) * SECOND).toISOString();
    expect([made.status, made.body]).toEqual([201, { preview: expect.any(String), expiresAt }]);
    expect((await show(made.body.preview)).body.surveys).toMatchObject([
      { slug: 'orders', pages: DRAFT.pages },
    ]);
  });

  it('is a row of an hour, apart from all surveys', async () => {
    await make();
    const [row] = await draftsOf(tenant);
    expect(row?.ttl).toBe(Math.floor((service.clock.now() + HOUR) / SECOND));
    const { surveys } = (await service.call(listDefinitions, { secretKey: editor })).body;
    expect(surveys).toHaveLength(1);
    expect(surveys[0].question).not.toBe(DRAFT.question);
  });
});

describe('what is refused', () => {
  it.each<[object, object[]]>([
    [{ slug: 'a', type: 'nps' }, [{ path: 'survey.question', message: 'is missing' }]],
    [
      { slug: 'a', type: 'nps', question: 'Q?', quesiton: 'Q?' },
      [{ path: 'survey.quesiton', message: 'is not a field here. Did you mean question?' }],
    ],
    [
      JSON.parse('{"slug":"a","type":"nps","question":"Q?","locales":{"__proto__":{}}}'),
      [{ path: 'survey.locales.__proto__', message: 'is not a field here.' }],
    ],
    [
      { slug: 'a', type: 'nps', question: 'x'.repeat(8_200) },
      [{ path: 'survey', message: 'must be at most 8192 bytes as JSON' }],
    ],
    [
      {
        slug: 'a',
        type: 'nps',
        question: 'Q?',
        thanks: { text: 'T', link: { label: 'L', url: 'http://a.example' } },
      },
      [{ path: 'survey.thanks.link.url', message: 'must begin with https://' }],
    ],
    [
      {
        slug: 'a',
        type: 'nps',
        question: 'Q?',
        thanks: { text: 'T', link: { label: 'L', url: 'javascript:alert(1)' } },
      },
      [{ path: 'survey.thanks.link.url', message: 'must begin with https:// or http://' }],
    ],
  ])('400: what no survey file may say either: %o', async (survey, issues) => {
    const { status, body } = await make(survey);
    expect([status, body.error.issues]).toEqual([400, issues]);
    expect(await draftsOf(tenant)).toEqual([]);
  });

  it('401: reader keys, and secret keys that do not name the scope', async () => {
    const reader = aKey('reader', tenant.project.id, { scopes: ['results', 'comments'] });
    const old = aKey('secret', tenant.project.id);
    for (const { stored } of [reader, old]) await projects.addKey(tenant.project.id, stored);
    for (const secretKey of [reader.text, old.text, tenant.publishableKey])
      expect(codeOf(await make(DRAFT, secretKey))).toBe('401 invalid_key');
    const server = aKey('secret', tenant.project.id, { scopes: ['surveys'] });
    await projects.addKey(tenant.project.id, server.stored);
    // From now on settings are read again for a key that they do not know.
    service.clock.advance(2 * SECOND);
    expect((await make(DRAFT, server.text)).status).toBe(201);
  });
});
