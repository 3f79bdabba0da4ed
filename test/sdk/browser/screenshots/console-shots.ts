/** Pictures of the console, of the local run with its answers of half a year, as a product manager goes through it. */

import type { Browser } from 'playwright-core';
import type { Instance } from '../../../../local/instance.ts';
import { consoleLink } from '../../../../pages/person-links.ts';
import { askToPublish, makeSurvey } from '../../../pages/console/support/hour-steps.ts';
import { atChromium } from '../../../pages/console/support/person.ts';
import { faces } from './scene.ts';

const FONT = `${faces()} body { font-family: Shown, sans-serif; } * { animation: none !important; transition: none !important; }`;

type Keep = (name: string, picture: Buffer) => void;

export async function shootConsole(browser: Browser, instance: Instance, keep: Keep): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 1_100, height: 700 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
    bypassCSP: true,
  });
  const page = await context.newPage();
  const person = atChromium(page);
  const shoot = async (name: string) => {
    await page.evaluate('document.fonts.ready.then(() => undefined)');
    keep(name, await page.screenshot({ animations: 'disabled' }));
  };
  await person.open(consoleLink(instance.url, instance.demo.projectId, instance.demo.editorKey));
  await page.addStyleTag({ content: FONT });
  // Until the answers of half a year are counted.
  const counts =
    "JSON.stringify([...document.querySelectorAll('.line .number:last-of-type')].map((each) => each.innerText))";
  for (let before: unknown, now: unknown = ''; before !== now || !/[1-9]/.test(String(now)); ) {
    before = now;
    await page.waitForTimeout(2_000);
    await page.reload();
    await page.locator('.line .number strong').first().waitFor();
    now = await page.evaluate(counts);
  }
  await page.addStyleTag({ content: FONT });
  await shoot('console-overview');
  await makeSurvey(person);
  await page.evaluate('scrollTo(0, 0)');
  await page.mouse.move(1, 1);
  await page.frameLocator('iframe').locator('canvass-survey legend').filter({ hasText: 'Fern' }).waitFor();
  await shoot('console-editor');
  await askToPublish(person);
  await shoot('console-publish');
  await page.setViewportSize({ width: 375, height: 720 });
  await shoot('console-phone-publish');
  await page.keyboard.press('Escape');
  await page.getByRole('radio', { name: 'Preview', exact: true }).check();
  await page.getByRole('radio', { name: 'Phone', exact: true }).check();
  await page.evaluate('scrollTo(0, 0)');
  await page.mouse.move(1, 1);
  await shoot('console-phone-preview');
  await context.close();
}
