import type { Locator, Page } from 'playwright-core';

/** An A4 page without its margins, in CSS pixels: 186 × 273 mm. */
const PRINTED = { width: 703, height: 1_032 } as const;

export async function printedPages(page: Page): Promise<number | undefined> {
  const pdf = await page.pdf({ preferCSSPageSize: true });
  return pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length;
}

const FIND_CUT = `[...document.querySelectorAll('main *')].filter((element) => {
  if (element.closest('.words, .comments li, caption, legend, select')) return false;
  const { right, width } = element.getBoundingClientRect();
  const hides = element instanceof HTMLElement && getComputedStyle(element).overflowX !== 'visible';
  return (width > 0 && right > ${PRINTED.width} + 0.5) || (hides && element.scrollWidth > element.clientWidth + 1);
}).map(({ outerHTML }) => outerHTML.slice(0, 120))`;

/** Finds content that is cut off at the right. Leaves print media emulation on. */
export async function printedProblems(page: Page): Promise<string[]> {
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize(PRINTED);
  return page.evaluate<string[]>(FIND_CUT);
}

export async function printedItems(section: Locator): Promise<number> {
  return section.locator('.comments > li').filter({ visible: true }).count();
}
