/** The editor in a browser, over a real service, as somebody with an editor key. */

import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import type { Gateway } from '../../../../local/gateway.ts';
import type { Survey } from '../../../../shared/domain/surveys/survey.ts';
import type { WrittenSurvey } from '../../../../shared/domain/surveys/written-survey.ts';
import { useChromium } from '../../../sdk/browser/support/use-chromium.ts';
import { serveService } from '../../../support/service/served-service.ts';
import { createTestService, type Tenant, type TestService } from '../../../support/service/test-service.ts';
import { type OpenedConsole, openConsole, personKey } from './open-console.ts';

export interface OpenedEditor extends OpenedConsole {
  readonly key: string;
  readonly keyId: string;
  /** What the service holds now. */
  readonly stored: () => Promise<{ readonly revision: number; readonly surveys: readonly WrittenSurvey[] }>;
  /** Changes surveys as somebody else would, at the revision that they are of. */
  readonly change: (...surveys: readonly WrittenSurvey[]) => Promise<void>;
}

interface At {
  readonly service: TestService;
  readonly url: string;
}

/** A service that is served, and a browser, for the tests of a file. */
export function useEditor() {
  const browser = useChromium();
  let [service, gateway]: [TestService?, Gateway?] = [];
  beforeAll(async () => {
    service = await createTestService();
    gateway = await serveService(service);
  });
  afterAll(() => gateway?.stop());
  const begun = (): At => {
    if (service === undefined || gateway === undefined) throw new Error('the service has not begun');
    return { service, url: gateway.url };
  };
  return {
    begun,
    /** Of a project of its own. @param hash of the editor: `#/new`, `#/survey/nps/edit` */
    async open(hash: string, ...surveys: Survey[]): Promise<OpenedEditor & { readonly tenant: Tenant }> {
      const tenant = await begun().service.tenant({}, surveys);
      const at = { ...begun(), projectId: tenant.project.id };
      return { ...(await openEditor(browser, at, hash)), tenant };
    },
  };
}

/** @param hash of the editor: `#/new`, `#/survey/nps/edit` */
export async function openEditor(
  browser: ReturnType<typeof useChromium>,
  { service, url, projectId }: At & { readonly projectId: string },
  hash: string,
  options?: BrowserContextOptions,
): Promise<OpenedEditor> {
  const made = await personKey(service, projectId, 'editor');
  const opened = await openConsole(browser, { url, projectId }, `#key=${made.key}`, options);
  await opened.page.getByRole('heading', { name: 'Surveys', exact: true }).waitFor();
  await goTo(opened.page, hash);
  const address = `${url}/v1/surveys/definitions`;
  const headers = { authorization: `Bearer ${made.key}` };
  const stored = async () => {
    const reply = await fetch(address, { headers });
    return (await reply.json()) as Awaited<ReturnType<OpenedEditor['stored']>>;
  };
  return {
    ...opened,
    ...made,
    stored,
    async change(...surveys) {
      const { revision } = await stored();
      const body = JSON.stringify({ revision, surveys });
      const reply = await fetch(address, { method: 'PUT', headers, body });
      if (reply.status !== 200) throw new Error(await reply.text());
    },
  };
}

/** Goes to another screen and waits for its form. */
async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = '${hash}'`);
  await questionOf(page).waitFor();
}

export const questionOf = (page: Page) => page.getByRole('textbox', { name: 'Question', exact: true });

/** Chooses one of several that look like buttons. */
export const choose = (page: Page, name: string) => page.getByRole('radio', { name, exact: true }).check();

/** Asks for it and confirms what is shown. */
export async function confirm(page: Page, button: string, answer = button): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: answer, exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
}

/** The widget in the frame. */
export const previewOf = (page: Page) => page.frameLocator('iframe').locator('canvass-survey');

/** A question as the widget asks it: it also says it to assistive technology. */
export const askedIn = (page: Page, question: string) =>
  previewOf(page).locator('legend').filter({ hasText: question });
