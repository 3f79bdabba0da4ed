/**
 * `npm run screenshots -- --matrix <folder> [words]`: one sheet for each type, presentation and language, with three
 * widths, both color schemes, each step and the link page. It writes nothing into the repository. Words such as `nps
 * banner de` select sheets by name. Uses the machine's fonts.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { formPage } from '../../../../pages/link/form-page.ts';
import { thanksPage } from '../../../../pages/link/word-pages.ts';
import type { Survey } from '../../../../sdk/browser/client/survey.ts';
import { SURVEY_TYPES, type SurveyType, TYPES } from '../../../../shared/domain/surveys/survey.ts';
import { PRESENTATIONS } from '../support/surveys.ts';
import { choicesIn, LANGUAGES, type Language, REASONS, TEXTS } from './matrix-texts.ts';
import { openScene, SERVICE } from './scene.ts';

const WIDTHS = [1_280, 375, 320] as const;
const SCHEMES = ['light', 'dark'] as const;
const PATIENCE_MS = 20_000;
const MARGIN = 20;

type Picture = readonly [row: string, step: string, png: Buffer];

function textsOf(type: SurveyType, language: Language) {
  const [question, followUpQuestion] = TEXTS[type]?.[language] ?? ['', ''];
  const hasReasons = ['csat', 'thumbs', 'choice'].includes(type);
  const reasons = REASONS[language].map((label, at) => ({ code: `r${at}`, label }));
  return {
    question,
    ...(followUpQuestion && { followUpQuestion }),
    ...(hasReasons && { reasons }),
    ...(type === 'choice' && { choices: choicesIn(language) }),
  };
}

async function shoot(page: Page): Promise<Buffer> {
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  const box = await page.locator('canvass-survey section').boundingBox();
  const top = Math.max(0, (box?.y ?? 0) - MARGIN);
  const bottom = Math.min(height, (box?.y ?? 0) + (box?.height ?? 0) + MARGIN);
  const isPhone = width < 500;
  const left = isPhone ? 0 : Math.max(0, (box?.x ?? 0) - MARGIN);
  const right = isPhone ? width : Math.min(width, (box?.x ?? 0) + (box?.width ?? 0) + MARGIN);
  const clip = { x: left, y: top, width: right - left, height: Math.max(1, bottom - top) };
  return page.screenshot({ animations: 'disabled', clip });
}

async function walk(page: Page, type: SurveyType, told: (step: string) => Promise<unknown>): Promise<void> {
  const part = (selector: string) => page.locator(`canvass-survey ${selector}`);
  const seen = async (step: string) => {
    await page.mouse.move(1, 1);
    await told(step);
  };
  await seen('asked');
  if (type === 'thumbs') {
    await part('.down').click();
    await part('textarea').waitFor();
    await seen('words');
    await part('.send').click();
    return void (await seen('thanks'));
  }
  if (type === 'open') {
    await part('textarea').fill('Cheaper delivery, please.');
    await seen('words');
    await part('.send').click();
    await part('.thanks').waitFor();
    return void (await seen('thanks'));
  }
  const low = type === 'choice' ? 3 : TYPES[type].scale.min + 1;
  await part(`input[value="${low}"]`).click();
  await part('.send').waitFor();
  await seen('chosen');
  await part('.send').click();
  await part('.more').waitFor();
  if (type !== 'pmf') {
    await part('.contact input').check();
    await part('.address input').fill('ann@example.com');
  }
  await seen('words');
  await part('.send').click();
  await part('.thanks').waitFor();
  await seen('thanks');
}

async function pictures(
  browser: Browser,
  pages: string,
  fields: Partial<Survey> & { type: SurveyType },
  lang: Language,
): Promise<Picture[]> {
  const taken: Picture[] = [];
  for (const width of WIDTHS)
    for (const scheme of SCHEMES) {
      const context = await browser.newContext({
        viewport: { width, height: 800 },
        reducedMotion: 'reduce',
        bypassCSP: true,
      });
      const page = await openScene(await context.newPage(), pages, {
        survey: { scale: TYPES[fields.type].scale, ...fields, ...textsOf(fields.type, lang) },
        page: { user: '', lang, direction: lang === 'ar' ? 'rtl' : 'ltr', scheme },
      });
      page.setDefaultTimeout(PATIENCE_MS);
      await walk(page, fields.type, async (step) => {
        taken.push([`${width} ${scheme}`, step, await shoot(page)]);
      });
      await context.close();
    }
  return taken;
}

async function linkPictures(browser: Browser, type: SurveyType, lang: Language): Promise<Picture[]> {
  const content = {
    slug: 'shown',
    type,
    presentation: 'inline',
    trigger: 'manual',
    ...textsOf(type, lang),
  } as const;
  const survey = { id: 'sv_1', status: 'active', limits: {}, content } as const;
  const asker = { name: 'Fern & Clay', accent: '#2f6b4a' };
  const { min, max } = TYPES[type].scale;
  const shown = {
    low: formPage(survey, asker, [lang], `${type === 'choice' ? 3 : min}`),
    high: formPage(survey, asker, [lang], `${type === 'choice' ? 4 : max}`),
    thanks: thanksPage(survey, max, asker, [lang]),
  };
  const taken: Picture[] = [];
  for (const width of WIDTHS)
    for (const colorScheme of SCHEMES) {
      const context = await browser.newContext({ viewport: { width, height: 720 }, colorScheme });
      const page = await context.newPage();
      for (const [step, { raw, headers }] of Object.entries(shown)) {
        await page.route(SERVICE, (route) => route.fulfill({ body: raw, headers }));
        await page.goto(SERVICE);
        const card = await page.locator('main').boundingBox();
        const { x = 0, width: wide = width } = width > 500 ? (card ?? {}) : {};
        const clip = {
          x: Math.max(0, x - MARGIN),
          y: 0,
          width: Math.min(width, wide + 2 * MARGIN),
          height: 720,
        };
        taken.push([`${width} ${colorScheme}`, step, await page.screenshot({ clip })]);
        await page.unrouteAll();
      }
      await context.close();
    }
  return taken;
}

async function sheet(browser: Browser, name: string, taken: readonly Picture[]): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 1_560, height: 400 } });
  const figure = ([row, step, png]: Picture) =>
    `<figure><img src="data:image/png;base64,${png.toString('base64')}"><figcaption>${row}: ${step}</figcaption></figure>`;
  const rows = Map.groupBy(taken, ([row]) => row);
  const body = [...rows.values()].map((pictures) => `<div>${pictures.map(figure).join('')}</div>`).join('');
  await page.setContent(`<style>
    body { display: flex; flex-wrap: wrap; gap: 10px; margin: 10px; font: 11px sans-serif; background: #777; color: #fff; }
    h1 { width: 100%; margin: 0; font-size: 14px; }
    div { display: flex; flex-wrap: wrap; gap: 10px; align-items: flex-start; max-width: 1540px; }
    figure { margin: 0; }
    img { display: block; max-width: 765px; max-height: 340px; }
  </style><h1>${name}</h1>${body}`);
  const picture = await page.screenshot({ fullPage: true });
  await page.close();
  return picture;
}

/** @param words that a sheet's name must contain; empty for all */
export async function writeMatrix(
  browser: Browser,
  pages: string,
  folder: string,
  words: readonly string[],
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const write = async (name: string, take: () => Promise<Picture[]>) => {
    if (!words.every((word) => name.split('-').includes(word))) return;
    writeFileSync(join(folder, `${name}.png`), await sheet(browser, name, await take()));
    console.log(name);
  };
  for (const type of SURVEY_TYPES)
    for (const lang of LANGUAGES) {
      for (const presentation of PRESENTATIONS)
        await write(`${type}-${presentation}-${lang}`, () =>
          pictures(browser, pages, { type, presentation }, lang),
        );
      await write(`${type}-link-${lang}`, () => linkPictures(browser, type, lang));
    }
}
