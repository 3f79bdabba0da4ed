/** The hour of a product manager, on the local run: at a desk and on a phone. */

import { it } from 'vitest';
import { type Instance, startInstance } from '../../../local/instance.ts';
import { PATIENCE_MS } from '../../sdk/browser/support/patience.ts';
import { useChromium } from '../../sdk/browser/support/use-chromium.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { spendHour } from './support/hour.ts';
import { atChromium } from './support/person.ts';

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
])('%s, without a terminal but at its end', async (_, options) => {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(PATIENCE_MS);
  await withInstance((instance, dataFolder) => spendHour(atChromium(page), instance, dataFolder));
});
