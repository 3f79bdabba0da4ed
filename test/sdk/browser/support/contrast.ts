/** Contrast by WCAG 2.2 from painted colors. */

import type { Locator, Page } from 'playwright-core';

const CONTRAST = `(element, ofWhat) => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const luminance = (colour) => {
    for (const paint of ['#fff', colour]) {
      canvas.fillStyle = paint;
      canvas.fillRect(0, 0, 1, 1);
    }
    const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const groundFrom = (first) => {
    for (let behind = first; behind; behind = behind.parentElement) {
      const { backgroundColor } = getComputedStyle(behind);
      if (!/^(rgba\\(0, 0, 0, 0\\)|transparent)$/.test(backgroundColor)) return backgroundColor;
    }
    return 'white';
  };
  const pair = {
    text: [getComputedStyle(element).color, groundFrom(element)],
    ground: [groundFrom(element), groundFrom(element.parentElement)],
    edge: [getComputedStyle(element).borderTopColor, groundFrom(element.parentElement)],
  }[ofWhat];
  const [low, high] = pair.map(luminance).toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}`;

type OfWhat = 'text' | 'ground' | 'edge';

const measureIn = (page: Page) =>
  page.evaluateHandle<(element: unknown, ofWhat: OfWhat) => number>(`(${CONTRAST})`);

/** @param ofWhat text against its background, or its background against its surroundings */
export async function contrast(part: Locator, ofWhat: OfWhat = 'text'): Promise<number> {
  const measure = await measureIn(part.page());
  return part.evaluate((element, [measured, of]) => measured(element, of), [measure, ofWhat] as const);
}

const LEAST = { text: 4.5, ground: 3, edge: 3 } as const;

/** HTML of the visible parts whose text or edge has too little contrast (WCAG 2.2, 1.4.3 and 1.4.11). */
export async function faintParts(parts: Locator, ofWhat: OfWhat = 'text'): Promise<string[]> {
  const measure = await measureIn(parts.page());
  return parts.evaluateAll(
    (found, [measured, of, least]) =>
      found
        .filter(
          (part) =>
            part.checkVisibility({ visibilityProperty: true }) && part.getBoundingClientRect().height > 0,
        )
        .filter((part) => measured(part, of) < least)
        .map(({ outerHTML }) => outerHTML),
    [measure, ofWhat, LEAST[ofWhat]] as const,
  );
}
