/** What a page is on A4. */

import type { Locator, Page } from 'playwright-core';

/** Between the margins, CSS pixels: 186 and 273 mm. */
const PRINTED = { width: 703, height: 1_032 } as const;

export async function printedPages(page: Page): Promise<number | undefined> {
  const pdf = await page.pdf({ preferCSSPageSize: true });
  return pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length;
}

/** Runs on the page. Words are cut after lines. */
const FIND_CUT = `[...document.querySelectorAll('main *')].filter((element) => {
  if (element.closest('.words, .comments li, caption, legend, select')) return false;
  const { right, width } = element.getBoundingClientRect();
  const hides = element instanceof HTMLElement && getComputedStyle(element).overflowX !== 'visible';
  return (width > 0 && right > ${PRINTED.width} + 0.5) || (hides && element.scrollWidth > element.clientWidth + 1);
}).map(({ outerHTML }) => outerHTML.slice(0, 120))`;

/** What is cut off at the right. Leaves the page as it is printed. */
export async function printedProblems(page: Page): Promise<string[]> {
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize(PRINTED);
  return page.evaluate<string[]>(FIND_CUT);
}

/** How many items of a list of comments are printed, once the page is as it is printed. */
export async function printedItems(section: Locator): Promise<number> {
  return section.locator('.comments > li').filter({ visible: true }).count();
}
