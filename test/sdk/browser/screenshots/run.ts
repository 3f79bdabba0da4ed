/**
 * `npm run screenshots`: pictures of the widget, the console, results and a link for the documents, into `docs/images`.
 * It starts its own local run; results and links are played. Pictures are nearly the same on every machine (fonts.ts).
 * Names select pictures: `npm run screenshots -- nps-corner results-dark`. `--matrix <folder>` runs matrix.ts instead.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packagedChromium from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
import { buildSdk } from '../../../../bin/build/build-sdk.ts';
import { startInstance } from '../../../../local/instance.ts';
import { startPageServer } from '../support/page-server.ts';
import { type Album, openAlbum } from './album.ts';
import { shootConsole } from './console-shots.ts';
import { withOneFamily } from './fonts.ts';
import { shootLink } from './link-shot.ts';
import { writeMatrix } from './matrix.ts';
import { shootResults } from './results-shots.ts';
import { shootShop } from './shop-shots.ts';
import { shootThemes } from './theme-shots.ts';

const FOLDER = fileURLToPath(new URL('../../../../docs/images/', import.meta.url));

const named = process.argv.slice(2);
const [option, folder, ...words] = named;
const isMatrix = option === '--matrix';

const kept = mkdtempSync(join(tmpdir(), 'canvass-shots-'));
const pages = await startPageServer(await buildSdk());
const browser = await chromium.launch({
  executablePath: await packagedChromium.executablePath(),
  args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
  env: isMatrix ? process.env : withOneFamily(kept),
});

async function fill(album: Album): Promise<void> {
  await shootThemes(album, pages.url);
  await shootLink(album);
  await shootResults(album);
  const instance = await startInstance({
    port: 0,
    dataFolder: kept,
    inMemory: true,
    dynamodbEndpoint: process.env.DYNAMODB_ENDPOINT,
    demoAnswers: true,
    log: () => undefined,
  });
  try {
    // Before the shop's pictures, which store answers.
    await shootConsole(album, instance);
    await shootShop(album, instance.url);
  } finally {
    await instance.stop();
  }
}

try {
  if (isMatrix && folder) await writeMatrix(browser, pages.url, folder, words);
  else {
    const album = openAlbum(browser, FOLDER, named);
    await fill(album);
    for (const name of album.unknown()) {
      console.error(`No picture is called ${name}: see docs/images.`);
      process.exitCode = 2;
    }
  }
} finally {
  await browser.close();
  await pages.stop();
  rmSync(kept, { recursive: true, force: true });
}
