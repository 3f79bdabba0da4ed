import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import packagedChromium from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the one Chromium of the whole project. */
    chromium: string;
  }
}

const NAMES = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser'];
const ELSEWHERE = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];
/** Replaces the package's arguments, which disable web security. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
];

/** `CHROME_PATH`, else an installed Chrome or Chromium, else the package's, extracted once. */
async function executablePath(): Promise<string> {
  if (process.env.CHROME_PATH) return process.env.CHROME_PATH;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const installed = folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).concat(ELSEWHERE);
  return installed.find((path) => existsSync(path)) ?? packagedChromium.executablePath();
}

/** Starts the Chromium that all test files of a project share; each test opens contexts of its own in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await chromium.launchServer({
    executablePath: await executablePath(),
    args: ARGUMENTS,
    headless: true,
  });
  project.provide('chromium', server.wsEndpoint());
  return () => server.close();
}

export const connectChromium = (): Promise<Browser> => chromium.connect(inject('chromium'));
