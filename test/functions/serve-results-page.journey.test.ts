/** A product manager's Monday: filter, compare, handle a contact, download, print. */

import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY } from '../../shared/domain/duration.ts';
import { PATIENCE_MS } from '../sdk/browser/support/patience.ts';
import { printedPages, printedProblems } from '../sdk/browser/support/printed.ts';
import { problemsOf, useChromium } from '../sdk/browser/support/use-chromium.ts';
import { createAdminCli } from '../support/admin-cli.ts';
import { aResponseRow, deliver } from '../support/fixtures/a-stream.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { seedAnswers } from '../support/fixtures/seed-answers.ts';
import { useServedService } from '../support/service/served-service.ts';

const PLANS = ['free', 'pro'] as const;
const COUNT = 12;
const SURVEYS = [
  aSurvey({ segments: [{ name: 'plan', values: PLANS.map((text) => ({ text })) }] }, { slug: 'recommend' }),
  aSurvey({}, { slug: 'helpful', type: 'thumbs' }),
];

let projectId: string;
const browser = useChromium();
const { service, gateway } = await useServedService();

beforeAll(async () => {
  const { project, surveys } = await service.tenant({}, SURVEYS);
  const [surveyId = ''] = surveys.map(({ id }) => id);
  const answer = (index: number) => ({
    rating: index % 11,
    traits: { plan: PLANS[index % 2] ?? 'free' },
    followUpRequested: index < 4,
    text: `comment ${index}`,
  });
  const momentOf = (index: number) => service.clock.now() - (index + 1) * DAY;
  const rows = Array.from({ length: COUNT }, (_, index) =>
    aResponseRow({
      projectId: project.id,
      surveyId,
      ...answer(index),
      traits: JSON.stringify(answer(index).traits),
      at: new Date(momentOf(index)).toISOString(),
    }),
  );
  await deliver(service, rows);
  const seed = { projectId: project.id, surveyIds: [surveyId], count: COUNT };
  await seedAnswers(service.table, { ...seed, momentOf, responseOf: answer });
  projectId = project.id;
});

async function editorKey(): Promise<string> {
  const flags = ['--kind', 'editor', '--comments', '--project', projectId];
  const { key } = await createAdminCli(service).json('key', 'create', ...flags);
  service.clock.advance(31_000);
  return key;
}

/** Presses Tab until the named element has the focus. */
async function tabTo(page: Page, named: RegExp): Promise<void> {
  const focused = () =>
    page.evaluate<string>(
      "(({ id, name, textContent, ariaLabel }) => [id, name, ariaLabel, textContent].join(' '))(document.activeElement)",
    );
  for (let steps = 0; !named.test(await focused()); steps++) {
    expect(steps, `${named} is reached`).toBeLessThan(60);
    await page.keyboard.press('Tab');
  }
}

const VIEWS: readonly (readonly [string, BrowserContextOptions, handled: number])[] = [
  ['on a desktop', { viewport: { width: 1280, height: 900 } }, 0],
  ['on a phone', { viewport: { width: 375, height: 800 }, hasTouch: true, colorScheme: 'dark' }, 1],
];

describe('a Monday with the keyboard only', () => {
  it.each(VIEWS)('%s', async (_, options, handled) => {
    const key = await editorKey();
    const page = await browser.newPage(options);
    page.setDefaultTimeout(PATIENCE_MS);
    await page.clock.setFixedTime(service.clock.now());
    await page.goto(`${gateway.url}/results#survey=recommend`);
    await page.keyboard.type(key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'How likely' }).waitFor();

    await tabTo(page, /^segment/);
    await page.keyboard.press('p');
    await page.locator('.survey > .about', { hasText: 'plan: free' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.locator('.survey > .about', { hasText: 'plan: pro' }).waitFor();
    await tabTo(page, /^compare/);
    await page.keyboard.press('v');
    await page.locator('.difference, .figure .about', { hasText: 'free' }).first().waitFor();
    expect(await problemsOf(page)).toEqual([]);

    await tabTo(page, /contacts-of/);
    await page.keyboard.press('ArrowDown');
    const waiting = page.locator('#contact-list li', { hasText: 'recommend' });
    await expect.poll(() => waiting.count()).toBe(4 - handled);
    // Contacts of the selected value do not repeat it; these are from all surveys.
    expect(await page.locator('#comment-list .fact').count()).toBe(0);
    expect(await waiting.locator('.fact', { hasText: 'plan: pro' }).count()).toBeGreaterThan(0);
    await tabTo(page, /Note for colleagues/);
    await page.keyboard.type('Called.');
    await page.keyboard.press('Enter');
    await page.getByText('by you: Called.').waitFor();
    expect(await problemsOf(page)).toEqual([]);

    await page.locator('summary', { hasText: 'Download' }).focus();
    await page.keyboard.press('Enter');
    await tabTo(page, /^save-answers/);
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(download.suggestedFilename()).toMatch(/^recommend-answers-.*\.csv$/);
    await page.getByText(`${COUNT / 2} responses saved.`).waitFor();
    expect(await printedPages(page)).toBeLessThanOrEqual(2);
    expect(await printedProblems(page)).toEqual([]);
  });
});
