import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Survey } from '../../../../shared/domain/surveys/survey.ts';
import type { WrittenSurvey } from '../../../../shared/domain/surveys/written-survey.ts';
import { PATIENCE_MS } from '../../../sdk/browser/support/patience.ts';
import { useChromium } from '../../../sdk/browser/support/use-chromium.ts';
import { createAdminCli } from '../../../support/admin-cli.ts';
import { useServedService } from '../../../support/service/served-service.ts';
import type { TestService } from '../../../support/service/test-service.ts';

/** @param hash the address after the project, such as `#key=…` */
export async function openConsole(
  browser: ReturnType<typeof useChromium>,
  at: { readonly url: string; readonly projectId: string; readonly now?: number },
  hash = '',
  options: BrowserContextOptions = {},
) {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(PATIENCE_MS);
  if (at.now !== undefined) await page.clock.setFixedTime(at.now);
  /** Errors of the page, and requests that its policy blocked. */
  const problems: string[] = [];
  /** Paths of requests to the service, and addresses of requests to other origins. */
  const requests: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (/policy|Trusted/i.test(message.text())) problems.push(message.text());
  });
  page.on('request', (request) => requests.push(request.url().replace(at.url, '')));
  await page.goto(`${at.url}/console/${at.projectId}${hash}`);
  return { page, problems, requests };
}

export async function goTo(page: Page, hash: string, heading: string): Promise<void> {
  await page.evaluate(`location.hash = '${hash}'`);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
}

/** Creates a person's key that works at once. */
export async function personKey(
  service: TestService,
  projectId: string,
  kind: 'reader' | 'editor',
  ...flags: string[]
): Promise<{ readonly key: string; readonly keyId: string }> {
  const admin = createAdminCli(service);
  const made = await admin.json('key', 'create', '--kind', kind, '--project', projectId, ...flags);
  expireSettings(service);
  return made;
}

export const expireSettings = ({ clock }: TestService): void => clock.advance(31_000);

export async function useEditor() {
  const browser = useChromium();
  const { service, gateway } = await useServedService();
  /** Opens an editor of a new project. @param hash `#/new`, `#/survey/nps/edit` */
  async function open(hash: string, surveys: Survey[] = [], options?: BrowserContextOptions) {
    const { project, publishableKey } = await service.tenant({}, surveys);
    const projectId = project.id;
    const made = await personKey(service, projectId, 'editor');
    const opened = await openConsole(browser, { url: gateway.url, projectId }, `#key=${made.key}`, options);
    await opened.page.getByRole('heading', { name: 'Surveys', exact: true }).waitFor();
    await opened.page.evaluate(`location.hash = '${hash}'`);
    await questionOf(opened.page).waitFor();
    const address = `${gateway.url}/v1/surveys/definitions`;
    const headers = { authorization: `Bearer ${made.key}` };
    const stored = async () => {
      const reply = await fetch(address, { headers });
      return (await reply.json()) as {
        readonly revision: number;
        readonly surveys: readonly WrittenSurvey[];
      };
    };
    async function change(surveys: readonly WrittenSurvey[], order?: readonly string[]) {
      const { revision } = await stored();
      const body = JSON.stringify({ revision, surveys, ...(order !== undefined && { order }) });
      const reply = await fetch(address, { method: 'PUT', headers, body });
      if (reply.status !== 200) throw new Error(await reply.text());
    }
    return { ...opened, ...made, projectId, publishableKey, stored, change };
  }
  return { service, gateway, open };
}

export const DEFINITIONS = '**/v1/surveys/definitions';

export const questionOf = (page: Page) => page.getByRole('textbox', { name: 'Question', exact: true });

export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

export const choose = (page: Page, name: string) => page.getByRole('radio', { name, exact: true }).check();

export async function confirm(page: Page, button: string): Promise<void> {
  await press(page, button);
  await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
}

export const focused = (page: Page) => page.evaluate('document.activeElement.textContent');

export const previewOf = (page: Page) => page.frameLocator('iframe').locator('canvass-survey');

/** The widget's visible question; the widget also announces it. */
export const askedIn = (page: Page, question: string) =>
  previewOf(page).locator('legend').filter({ hasText: question });
