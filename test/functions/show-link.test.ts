import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exportResponses } from '../../functions/export-responses.ts';
import { createProjectStore } from '../../shared/data/projects/project-store.ts';
import { DAY } from '../../shared/domain/duration.ts';
import { SCALES, SURVEY_TYPES } from '../../shared/domain/surveys/survey.ts';
import { launchChromium } from '../sdk/browser/support/chromium.ts';
import { aLink, open, post, said } from '../support/fixtures/a-link.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { someone } from '../support/fixtures/tokens.ts';
import { scanAll } from '../support/scan-all.ts';
import { createRecordedService } from '../support/service/recorded-service.ts';
import { serveService } from '../support/service/served-service.ts';
import type { Tenant, TestService } from '../support/service/test-service.ts';
import type { RecordingClient } from '../support/stand-ins/recording-client.ts';

const HOSTILE = '"><script>document.title = "taken"</script>';

let service: TestService;
let recording: RecordingClient;
let tenant: Tenant;
beforeAll(async () => {
  ({ service, recording } = await createRecordedService());
});
beforeEach(async () => {
  tenant = await service.tenant({ rates: { publishable: 0, secret: 0 } }, [
    aSurvey({}, { question: `How likely? ${HOSTILE}`, locales: { de: { question: 'Wie wahrscheinlich?' } } }),
    ...SURVEY_TYPES.map((type) => aSurvey({}, { type, question: `A ${type} question` })),
  ]);
});

const linkTo = (type: string) => {
  const survey = tenant.surveys.find(({ content }) => content.question === `A ${type} question`);
  return aLink(service, tenant, { surveyId: survey?.id });
};

describe('200', () => {
  it('is a form of plain HTML: every value of the scale, text and contact, and no script', async () => {
    for (const type of SURVEY_TYPES) {
      const { text } = await open(service, await linkTo(type));
      const values = [...text.matchAll(/name="rating" value="(\d+)"/g)].map(([, value]) => Number(value));
      const { min, max } = SCALES[type];
      expect(values.sort((a, b) => a - b)).toEqual(
        Array.from({ length: max - min + 1 }, (_, at) => min + at),
      );
      expect(text).toContain(`A ${type} question`);
      for (const name of ['text', 'contact']) expect(text).toContain(`name="${name}"`);
      expect(text).not.toMatch(/<script|<input type="hidden"|src=|https?:/);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(10 * 1_024);
    }
  });

  it('what a survey says is text, whatever it looks like', async () => {
    const { text } = await open(service, await aLink(service, tenant));
    expect(text).not.toContain('<script');
    expect(text).toContain('&lt;script&gt;');
  });

  it('nothing may run, be fetched, framed, listed, kept or told to another page', async () => {
    const { headers } = await open(service, await aLink(service, tenant));
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(headers).not.toHaveProperty('set-cookie');
  });

  it('speaks the language of the survey and of the person', async () => {
    const path = await aLink(service, tenant);
    const langOf = async (accepted: string, query = '') => {
      const { text } = await open(service, path, { headers: { 'accept-language': accepted }, query });
      return [/lang="([\w-]+)" dir="(\w+)"/.exec(text)?.slice(1).join(' '), /<title>(.{3})/.exec(text)?.[1]];
    };
    expect(await langOf('de-AT,de;q=0.9,en;q=0.8')).toEqual(['de ltr', 'Wie']);
    expect(await langOf('en;q=0.5, de;q=0.9')).toEqual(['de ltr', 'Wie']);
    expect(await langOf('en', 'lang=de')).toEqual(['de ltr', 'Wie']);
    expect(await langOf('ar')).toEqual(['ar rtl', 'How']);
    expect(await langOf('')).toEqual(['en ltr', 'How']);
    expect(await langOf('x'.repeat(5_000), 'lang=%22%3E%3Cscript')).toEqual(['en ltr', 'How']);
  });

  it('chooses the rating of the address, where it is on the scale', async () => {
    const path = await aLink(service, tenant);
    const chosen = async (query: string) =>
      /value="(\d+)"[^>]* checked/.exec((await open(service, path, { query })).text)?.[1];
    expect(await chosen('rating=9')).toBe('9');
    for (const query of ['', 'rating=11', 'rating=x', 'rating=-1'])
      expect(await chosen(query)).toBeUndefined();
  });

  it('a thousand fetches by scanners, with GET and HEAD, write nothing and store nothing', async () => {
    const path = await aLink(service, tenant);
    const before = await scanAll(service.table, tenant.project.id);
    recording.take();
    for (let index = 0; index < 1_000; index += 1) {
      const method = index % 2 === 0 ? 'GET' : 'HEAD';
      const reply = await open(service, path, { method, query: `rating=${index % 11}` });
      if (reply.status !== 200) throw new Error(said(reply));
    }
    expect(new Set(recording.take().map(({ operation }) => operation))).toEqual(new Set(['Query']));
    expect(await scanAll(service.table, tenant.project.id)).toEqual(before);
    expect((await post(service, path, { rating: '9' })).status).toBe(200);
  });

  it('warm, it costs one query of one read unit', async () => {
    const path = await aLink(service, tenant);
    await open(service, path);
    recording.take();
    await open(service, path);
    const calls = recording.take().map(({ operation, units }) => ({ operation, units }));
    expect(calls).toEqual([{ operation: 'Query', units: { table: 1 } }]);
  });
});

describe('409', () => {
  it('says that it was answered', async () => {
    const path = await aLink(service, tenant);
    await post(service, path, { rating: '3' });
    expect(said(await open(service, path))).toBe('409 This link has already been used.');
  });
});

describe('410', () => {
  it('says that it has expired, in the language of the person', async () => {
    const path = await aLink(service, tenant, { expiresIn: '1d' });
    service.clock.advance(DAY);
    const german = { headers: { 'accept-language': 'de' } };
    expect(said(await open(service, path, german))).toBe('410 Dieser Link ist abgelaufen.');
  });
});

describe('404', () => {
  it('rubbish, a show-token that is no link, a changed one, and one of a survey that is gone', async () => {
    const path = await aLink(service, tenant);
    const changed = path.slice(0, -1) + (path.endsWith('A') ? 'B' : 'A');
    for (const wrong of ['/l/x', `${path}A`, changed, '/l/%00', '/l/eyJhbXIiOnRydWV9.x']) {
      expect(said(await open(service, wrong))).toBe('404 This link is not valid.');
    }
  });
});

describe('403', () => {
  it('the project is suspended', async () => {
    const path = await aLink(service, tenant);
    const projects = createProjectStore(service.table.table, service.table.readIndex);
    await projects.updateProject(tenant.project.id, { status: 'suspended' });
    service.clock.advance(31_000);
    expect(said(await open(service, path))).toBe('403 This link is not valid.');
  });
});

describe('429', () => {
  it('by address, then by project; and by address where the link is none', async () => {
    const limited = await service.tenant({ rates: { publishable: 2, secret: 0, address: 1 } });
    const path = await aLink(service, limited);
    const statuses = async (addresses: readonly string[]) => {
      const all: number[] = [];
      for (const sourceIp of addresses) all.push((await open(service, path, { sourceIp })).status);
      return all;
    };
    expect(await statuses(['192.0.2.1', '192.0.2.1', '192.0.2.1'])).toEqual([200, 200, 429]);
    expect(await statuses(['192.0.2.2', '192.0.2.3', '192.0.2.4'])).toEqual([200, 200, 429]);
    const reply = await open(service, path, { sourceIp: '192.0.2.1' });
    expect([reply.headers['retry-after'], reply.headers['content-type']]).toEqual(['1', 'text/html']);
  });
});

describe('in a browser without a script', () => {
  let browser: Browser;
  let server: Awaited<ReturnType<typeof launchChromium>>;
  let gateway: Awaited<ReturnType<typeof serveService>>;
  beforeAll(async () => {
    server = await launchChromium();
    browser = await chromium.connect(server.wsEndpoint());
    gateway = await serveService(service);
  });
  afterAll(async () => {
    await gateway?.stop(0);
    await browser?.close();
    await server?.close();
  });

  async function openPage(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ javaScriptEnabled: false, ...options });
    const page = await context.newPage();
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
    await page.context().close();
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
    await page.context().close();
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
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect([path.slice(-8), violations.map(({ id, nodes }) => [id, nodes[0]?.html])]).toEqual([
        path.slice(-8),
        [],
      ]);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      expect(width).toBeLessThanOrEqual(375);
      await page.context().close();
    }
  });

  it('with script, too, a fetch stores nothing, and the policy lets nothing run', async () => {
    const path = await aLink(service, tenant);
    const before = await scanAll(service.table, tenant.project.id);
    const page = await openPage(`${path}?rating=9`, { javaScriptEnabled: true });
    expect(await page.title()).toBe(`How likely? ${HOSTILE}`);
    await page.context().close();
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
