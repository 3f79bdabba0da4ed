/** The console of a project in a browser, over a real service. */

import type { BrowserContextOptions, Page } from 'playwright-core';
import { PATIENCE_MS } from '../../../sdk/browser/support/patience.ts';
import type { useChromium } from '../../../sdk/browser/support/use-chromium.ts';
import { createAdminCli } from '../../../support/admin-cli.ts';
import type { TestService } from '../../../support/service/test-service.ts';

export interface OpenedConsole {
  readonly page: Page;
  /** What went wrong in the page, and what its policy refused. */
  readonly problems: string[];
  /** Paths and origins that were asked. */
  readonly requests: string[];
}

/** @param hash what stands behind the address of the project, such as `#key=…` */
export async function openConsole(
  browser: ReturnType<typeof useChromium>,
  at: { readonly url: string; readonly projectId: string; readonly now?: number },
  hash = '',
  options: BrowserContextOptions = {},
): Promise<OpenedConsole> {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(PATIENCE_MS);
  if (at.now !== undefined) await page.clock.setFixedTime(at.now);
  const [problems, requests]: [string[], string[]] = [[], []];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (/policy|Trusted/i.test(message.text())) problems.push(message.text());
  });
  page.on('request', (request) => requests.push(request.url().replace(at.url, '')));
  await page.goto(`${at.url}/console/${at.projectId}${hash}`);
  return { page, problems, requests };
}

/** Goes to another screen and waits until it is there: what is read or pressed next is not of the one before. */
export async function goTo(page: Page, hash: string, heading: string): Promise<void> {
  await page.evaluate(`location.hash = '${hash}'`);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
}

/** A key of a person, known at once. */
export async function personKey(
  service: TestService,
  projectId: string,
  kind: 'reader' | 'editor',
  ...flags: string[]
): Promise<{ readonly key: string; readonly keyId: string }> {
  const admin = createAdminCli(service);
  const made = await admin.json('key', 'create', '--kind', kind, '--project', projectId, ...flags);
  // Settings that are in memory do not know it yet.
  service.clock.advance(31_000);
  return made;
}
