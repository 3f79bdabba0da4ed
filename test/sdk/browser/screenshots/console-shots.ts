import type { Page } from 'playwright-core';
import type { Instance } from '../../../../local/instance.ts';
import { consoleLink } from '../../../../pages/person-links.ts';
import { askToPublish, makeSurvey } from '../../../pages/console/support/hour-steps.ts';
import { atChromium } from '../../../pages/console/support/person.ts';
import { type Album, inScheme, SCHEMES, type Scheme, SIZES } from './album.ts';

const IN_BOTH = ['console-overview', 'console-editor', 'console-phone-preview'];
const PICTURES = [...IN_BOTH, 'console-publish', 'console-phone', 'console-phone-publish'];
const EDITOR = { ...SIZES.wide, height: 800 };

async function waitForCounts(page: Page): Promise<void> {
  const counts =
    "JSON.stringify([...document.querySelectorAll('.line .number:last-of-type')].map((each) => each.innerText))";
  for (let before: unknown, now: unknown = ''; before !== now || !/[1-9]/.test(String(now)); ) {
    before = now;
    await page.waitForTimeout(2_000);
    await page.reload();
    await page.locator('.line .number strong').first().waitFor();
    now = await page.evaluate(counts);
  }
}

const choose = (page: Page, name: string) => page.getByRole('radio', { name, exact: true }).check();

async function waitForPreview(page: Page): Promise<void> {
  await page.frameLocator('iframe').locator('canvass-survey legend').filter({ hasText: 'Fern' }).waitFor();
}

async function walk(album: Album, { url, demo }: Instance, scheme: Scheme): Promise<void> {
  const page = await album.open({ viewport: SIZES.wide, colorScheme: scheme });
  const person = atChromium(page);
  await person.open(consoleLink(url, demo.projectId, demo.editorKey));
  await waitForCounts(page);
  await album.keep(inScheme('console-overview', scheme), page, '.lines');
  if (scheme === 'light') {
    await page.setViewportSize(SIZES.phone);
    await album.keep('console-phone', page);
    await page.setViewportSize(SIZES.wide);
  }
  await makeSurvey(person);
  await page.setViewportSize(EDITOR);
  await choose(page, 'Phone');
  await waitForPreview(page);
  await person.inFrame('input[value="9"]');
  await page.frameLocator('iframe').locator('canvass-survey .send').waitFor();
  await page.evaluate('scrollTo(0, 0)');
  // Waits for the whole preview, and scrolls past the breadcrumbs.
  await page.evaluate(
    "scrollBy(0, document.querySelector('.editor-top > nav').getBoundingClientRect().bottom - document.querySelector('header.top').getBoundingClientRect().bottom)",
  );
  await album.keep(inScheme('console-editor', scheme), page, '.stage');
  if (scheme === 'light') {
    await page.setViewportSize(SIZES.wide);
    await askToPublish(person);
    await album.keep('console-publish', page);
  }
  await page.setViewportSize(SIZES.phone);
  if (scheme === 'light') {
    await album.keep('console-phone-publish', page);
    await page.keyboard.press('Escape');
  }
  await choose(page, 'Preview');
  await choose(page, 'Phone');
  await waitForPreview(page);
  // Scrolls past the header, so that the controls are not behind the bar.
  await page.evaluate("scrollTo(0, document.querySelector('header.top').offsetHeight)");
  await album.keep(inScheme('console-phone-preview', scheme), page);
  await page.context().close();
}

export async function shootConsole(album: Album, instance: Instance): Promise<void> {
  for (const scheme of SCHEMES) {
    const names = scheme === 'dark' ? IN_BOTH.map((name) => inScheme(name, scheme)) : PICTURES;
    if (album.wants(...names)) await walk(album, instance, scheme);
  }
}
