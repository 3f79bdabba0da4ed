/** The page behind a link, as a browser shows it. */

import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exportResponses } from '../../functions/export-responses.ts';
import { SURVEY_TYPES } from '../../shared/domain/surveys/survey.ts';
import { problemsOf, useChromium } from '../sdk/browser/support/use-chromium.ts';
import { aHostileTenant, aLink, HOSTILE } from '../support/fixtures/a-link.ts';
import { someone } from '../support/fixtures/tokens.ts';
import { scanAll } from '../support/scan-all.ts';
import { createRecordedService } from '../support/service/recorded-service.ts';
import { serveService } from '../support/service/served-service.ts';
import type { Tenant } from '../support/service/test-service.ts';

let tenant: Tenant;
let linkTo: (type: string) => Promise<string>;
const { service } = await createRecordedService();
beforeEach(async () => {
  ({ tenant, linkTo } = await aHostileTenant(service));
});

describe('in a browser without a script', () => {
  const browser = useChromium();
  let gateway: Awaited<ReturnType<typeof serveService>>;
  beforeAll(async () => {
    gateway = await serveService(service);
  });
  afterAll(() => gateway.stop(0));

  async function openPage(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await browser.newPage({ javaScriptEnabled: false, ...options });
    await page.goto(`${gateway.url}${path}`);
    return page;
  }

  it('a person chooses, writes, sends, is thanked; the second time they are told that it was used', async () => {
    const respondentId = someone();
    const path = await aLink(service, tenant, { respondentId, sessionId: 's-1' });
    const page = await openPage(`${path}?lang=de`, { viewport: { width: 375, height: 640 } });
    await page.getByRole('radio', { name: '9', exact: true }).check();
    await page.locator('textarea').fill('Sehr schön & gut ü 😀');
    await page.locator('input[type=email]').fill('ann@example.com');
    await page.getByRole('button', { name: 'Senden' }).click();
    await page.getByRole('heading', { name: 'Vielen Dank!' }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
    await page.goto(`${gateway.url}${path}?lang=de`);
    await page.getByRole('heading', { name: 'Dieser Link wurde schon benutzt.' }).waitFor();
    const { secretKey } = tenant;
    const exported = await service.call(exportResponses, { secretKey, query: { respondentId } });
    expect(exported.body.responses).toMatchObject([
      {
        rating: 9,
        text: 'Sehr schön & gut ü 😀',
        contact: 'ann@example.com',
        followUpRequested: true,
        linked: true,
        sessionId: 's-1',
        identityKind: null,
        source: 'sdk',
        verified: true,
      },
    ]);
  });

  it('without a rating the browser itself does not send', async () => {
    const path = await aLink(service, tenant);
    const page = await openPage(path);
    await page.getByRole('button', { name: 'Send' }).click();
    expect(await page.locator('form').count()).toBe(1);
    expect(await page.locator(':invalid').count()).toBeGreaterThan(0);
  });

  it.each([
    ['light', {}],
    ['dark', { colorScheme: 'dark' }],
    ['forced colours', { forcedColors: 'active' }],
  ] as const)('axe finds nothing on any page, and it fits 375 pixels: %s', async (_, look) => {
    const paths = [
      ...(await Promise.all(SURVEY_TYPES.map(linkTo))).map((path) => `${path}?rating=1`),
      `${await aLink(service, tenant)}?lang=ar`,
      '/l/none?lang=he',
    ];
    for (const path of paths) {
      // axe runs in the page: this alone is with script.
      const options = {
        javaScriptEnabled: true,
        bypassCSP: true,
        viewport: { width: 375, height: 640 },
        ...look,
      };
      const page = await openPage(path, options);
      expect([path.slice(-8), await problemsOf(page)]).toEqual([path.slice(-8), []]);
    }
  });

  it('with script, too, a fetch stores nothing, and the policy lets nothing run', async () => {
    const path = await aLink(service, tenant);
    const before = await scanAll(service.table, tenant.project.id);
    const page = await openPage(`${path}?rating=9`, { javaScriptEnabled: true });
    expect(await page.title()).toBe(`How likely? ${HOSTILE}`);
    expect(await scanAll(service.table, tenant.project.id)).toEqual(before);
  });

  it('HEAD answers as GET', async () => {
    const path = await aLink(service, tenant);
    const [get, head] = [
      await fetch(`${gateway.url}${path}`),
      await fetch(`${gateway.url}${path}`, { method: 'HEAD' }),
    ];
    const namesOf = (reply: Response) =>
      [...reply.headers.keys()].filter((name) => !/^(date|keep-alive)$/.test(name));
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(namesOf(head)).toEqual(namesOf(get));
  });
});
