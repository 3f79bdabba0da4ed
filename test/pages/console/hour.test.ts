import { it } from 'vitest';
import { type Instance, startInstance } from '../../../local/instance.ts';
import { firefoxPath, launchFirefox } from '../../sdk/browser/support/firefox.ts';
import { PATIENCE_MS } from '../../sdk/browser/support/patience.ts';
import { useChromium } from '../../sdk/browser/support/use-chromium.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { spendHour } from './support/hour.ts';
import { atChromium, atFirefox } from './support/person.ts';

const browser = useChromium();

async function withInstance(use: (instance: Instance, dataFolder: string) => Promise<void>): Promise<void> {
  const dataFolder = temporaryFolder();
  const instance = await startInstance({
    port: 0,
    dataFolder,
    inMemory: true,
    demoAnswers: false,
    log: () => undefined,
  });
  try {
    await use(instance, dataFolder);
  } finally {
    await instance.stop();
  }
}

it.each([
  ['at a desk', { viewport: { width: 1_440, height: 900 } }],
  ['on a phone', { viewport: { width: 375, height: 760 }, hasTouch: true }],
])('works %s in Chromium', async (_, options) => {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(PATIENCE_MS);
  await withInstance((instance, dataFolder) => spendHour(atChromium(page), instance, dataFolder));
});

const firefox = firefoxPath();

it.skipIf(firefox === undefined)('works in Firefox', async () => {
  const opened = await launchFirefox(firefox ?? '');
  try {
    const page = await opened.newPage();
    await page.setViewport({ width: 1_280, height: 900 });
    page.setDefaultTimeout(PATIENCE_MS);
    await withInstance((instance, dataFolder) => spendHour(atFirefox(page), instance, dataFolder));
  } finally {
    await opened.close();
  }
});
