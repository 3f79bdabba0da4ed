/** Crops, frames and encodes every picture, within a byte limit. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** Device pixels per CSS pixel. Pictures are sharp on most screens at their original size. */
const DENSITY = 1.5;
/** Full, half and third width of a document, with text of about equal size. */
export const SIZES = {
  wide: { width: 1_040, height: 780 },
  half: { width: 540, height: 652 },
  phone: { width: 375, height: 667 },
} as const;

/** The limit is small because a phone may load several pictures in a README. */
const MOST_BYTES = 110 * 1_024;

export type Scheme = 'light' | 'dark';
export const SCHEMES: readonly Scheme[] = ['light', 'dark'];
export const inScheme = (name: string, scheme: Scheme) => (scheme === 'dark' ? `${name}-dark` : name);

export interface Album {
  wants(...names: readonly string[]): boolean;
  /** `bypassCSP` allows a customer's styles. */
  open(settings: BrowserContextOptions): Promise<Page>;
  /** @param end selector; the picture ends at its last match */
  keep(name: string, page: Page, end?: string): Promise<void>;
  /** Combines pictures. Only this function defines the gap between them. */
  join(name: string, parts: readonly string[], direction: 'row' | 'column'): Promise<void>;
  /** Requested names that match no picture. */
  unknown(): readonly string[];
}

/** Runs in the browser: rounds corners, draws a hairline visible on light and dark, and encodes as WebP. */
const FRAME = `async ({ picture, density }) => {
  const image = new Image();
  image.src = picture;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.width, image.height];
  const context = canvas.getContext('2d');
  const edge = (inset) => {
    context.beginPath();
    context.roundRect(inset, inset, canvas.width - 2 * inset, canvas.height - 2 * inset, 12 * density - inset);
  };
  edge(0);
  context.clip();
  context.drawImage(image, 0, 0);
  edge(density / 2);
  context.lineWidth = density;
  context.strokeStyle = '#8080804d';
  context.stroke();
  return canvas.toDataURL('image/webp', 0.86);
}`;

/** Runs in the browser: draws pictures of one size on one canvas, with a gap of 26 pixels, displayed as 12. */
const JOIN = `async ({ pictures, direction }) => {
  const images = pictures.map((src) => Object.assign(new Image(), { src }));
  await Promise.all(images.map((image) => image.decode()));
  const canvas = document.createElement('canvas');
  const [{ width, height }] = images;
  const [across, down] = direction === 'row' ? [width + 26, 0] : [0, height + 26];
  const last = images.length - 1;
  [canvas.width, canvas.height] = [width + across * last, height + down * last];
  const context = canvas.getContext('2d');
  images.forEach((image, index) => context.drawImage(image, across * index, down * index));
  return canvas.toDataURL('image/webp', 0.86);
}`;

async function endOf(page: Page, selector: string): Promise<number> {
  const { y, height } = (await page.locator(selector).last().boundingBox()) ?? { y: 0, height: 0 };
  return Math.ceil(y + height + 14);
}

/** @param names of pictures to take; empty for all */
export function openAlbum(browser: Browser, folder: string, names: readonly string[]): Album {
  mkdirSync(folder, { recursive: true });
  const wants = (...some: readonly string[]) =>
    names.length === 0 || some.some((name) => names.includes(name));

  async function drawn(script: string, told: object): Promise<Buffer> {
    const page = await browser.newPage();
    const url = String(await page.evaluate(`(${script})(${JSON.stringify(told)})`));
    await page.close();
    return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
  }
  const fileOf = (name: string) => join(folder, `${name}.webp`);
  const urlOf = (type: string, picture: Buffer) => `data:image/${type};base64,${picture.toString('base64')}`;

  const taken = new Set<string>();
  function write(name: string, picture: Buffer): void {
    taken.add(name);
    if (picture.length > MOST_BYTES) throw new Error(`${name}.webp has ${picture.length} bytes.`);
    writeFileSync(fileOf(name), picture);
    console.log(`${name}.webp ${picture.length} bytes`);
  }

  return {
    wants,
    unknown: () => names.filter((name) => !taken.has(name)),
    async open(settings) {
      const still = {
        deviceScaleFactor: DENSITY,
        reducedMotion: 'reduce',
        locale: 'en-GB',
        bypassCSP: true,
      } as const;
      return (await browser.newContext({ ...still, ...settings })).newPage();
    },
    async keep(name, page, end) {
      if (!wants(name)) return;
      const before = page.viewportSize() ?? SIZES.wide;
      const clip = { x: 0, y: 0, ...before, ...(end && { height: await endOf(page, end) }) };
      if (clip.height > before.height) await page.setViewportSize({ ...before, height: clip.height });
      await page.mouse.move(1, 1);
      await page.evaluate('document.fonts.ready.then(() => undefined)');
      const picture = urlOf('png', await page.screenshot({ animations: 'disabled', clip }));
      await page.setViewportSize(before);
      write(name, await drawn(FRAME, { picture, density: DENSITY }));
    },
    async join(name, parts, direction) {
      if (!wants(name)) return;
      const pictures = parts.map((part) => urlOf('webp', readFileSync(fileOf(part))));
      write(name, await drawn(JOIN, { pictures, direction }));
    },
  };
}
