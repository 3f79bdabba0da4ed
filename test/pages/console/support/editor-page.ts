/** The editor in a browser, over a real service, as somebody with an editor key. */

import type { BrowserContextOptions, Page } from 'playwright-core';
import type { WrittenSurvey } from '../../../../shared/domain/surveys/written-survey.ts';
import type { useChromium } from '../../../sdk/browser/support/use-chromium.ts';
import type { TestService } from '../../../support/service/test-service.ts';
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
  readonly projectId: string;
}

/** @param hash of the editor: `#/new`, `#/survey/nps/edit` */
export async function openEditor(
  browser: ReturnType<typeof useChromium>,
  { service, url, projectId }: At,
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
