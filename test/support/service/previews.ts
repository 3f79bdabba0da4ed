import { beforeEach } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { createPreview } from '../../../functions/create-preview.ts';
import { createProjectStore } from '../../../shared/data/projects/project-store.ts';
import { aKey, aSurvey } from '../fixtures/builders.ts';
import { scanAll } from '../scan-all.ts';
import { createTestService, type Tenant } from './test-service.ts';

/** Its audience and schedule exclude everyone. A preview shows it anyway. */
export const DRAFT = {
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

export async function usePreviews() {
  const service = await createTestService();
  const projects = createProjectStore(service.table.table, service.table.readIndex);
  let tenant: Tenant;
  let editor: string;

  async function anEditor({ project }: Tenant): Promise<string> {
    const { text, stored } = aKey('editor', project.id, { scopes: ['results', 'contacts', 'surveys'] });
    await projects.addKey(project.id, stored);
    return text;
  }

  beforeEach(async () => {
    tenant = await service.tenant({}, [aSurvey({}, { slug: 'orders' })]);
    editor = await anEditor(tenant);
  });

  return {
    service,
    projects,
    anEditor,
    current: () => ({ tenant, editor }),
    make: (survey: object = DRAFT, secretKey = editor) =>
      service.call(createPreview, { secretKey, body: { survey } }),
    show: (preview: unknown, more: object = {}, key = tenant.publishableKey) =>
      service.call(bootstrap, { body: { key, preview, types: 'thumbs', userId: 'ann', ...more } }),
    drafts: async () =>
      (await scanAll(service.table, tenant.project.id)).filter(({ type }) => type === 'draft'),
  };
}
