import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import puppeteer, { type Browser } from 'puppeteer-core';

const NAMES = ['firefox', 'firefox-esr'];

/** `FIREFOX_PATH`, else an installed Firefox. No npm package contains one. */
export function firefoxPath(): string | undefined {
  if (process.env.FIREFOX_PATH) return process.env.FIREFOX_PATH;
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(existsSync);
}

/**
 * Drives an installed Firefox by WebDriver BiDi. Playwright needs its own build: it sends
 * `emulation.setMediaFeaturesOverride`, which Firefox 153 does not support.
 *
 * @param preferences as in `about:config`
 */
export function launchFirefox(
  executablePath: string,
  preferences: Readonly<Record<string, unknown>> = {},
): Promise<Browser> {
  return puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    extraPrefsFirefox: { 'ui.prefersReducedMotion': 1, ...preferences },
  });
}
