import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** Loads axe once per document: with each analysis, that would take most of the time. */
const LOADED = `${axe.source}; axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })`;

/** @param part selector; defaults to the page with its frames */
export async function axeFindings(
  page: Page,
  part = 'html',
  options: RunOptions = {},
): Promise<AxeResults['violations']> {
  for (const frame of page.frames())
    if (!(await frame.evaluate('"axe" in globalThis'))) await frame.evaluate(LOADED);
  return page.evaluate(
    async ([context, given]) => {
      const { axe } = globalThis as unknown as { axe: Pick<typeof import('axe-core'), 'run'> };
      return (await axe.run(context, given)).violations;
    },
    [part, { ...options, resultTypes: ['violations'] }] as [string, RunOptions],
  );
}

export async function axeViolations(page: Page): Promise<string[]> {
  const violations = await axeFindings(page, 'canvass-survey', {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
