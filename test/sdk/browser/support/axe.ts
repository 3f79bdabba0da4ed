import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** Loads axe once per document: with each analysis, that would take most of the time. */
const LOADED = `${axe.source}; axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })`;

/** The rule `target-size` of WCAG 2.2 runs only by its tag. */
const RULES: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  rules: { 'label-content-name-mismatch': { enabled: true } },
};

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
    [part, { ...RULES, ...options, resultTypes: ['violations'] }] as [string, RunOptions],
  );
}

/** The parts that cut their text with the spacing of WCAG 2.2, 1.4.12, but not without it. */
export const cutWhenSpaced = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const roots = [document, ...[...document.querySelectorAll('canvass-survey')].map((host) => host.shadowRoot)];
    const isCut = (part) => part.checkVisibility() && part.clientWidth > 1
      && /hidden|clip/.test(getComputedStyle(part).overflow)
      && (part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1);
    const cut = () => [...roots.flatMap((root) => [...root.querySelectorAll('body *, section, section *')]).filter(isCut),
      ...(document.documentElement.scrollWidth > innerWidth ? [document.documentElement] : [])];
    const before = new Set(cut());
    const spaced = new CSSStyleSheet();
    spaced.replaceSync('* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }');
    for (const root of roots) root.adoptedStyleSheets.push(spaced);
    const found = cut().filter((part) => !before.has(part));
    for (const root of roots) root.adoptedStyleSheets.pop();
    return found.map((part) => 'cut when spaced: ' + part.outerHTML.slice(0, 200));
  })()`);

export async function axeViolations(page: Page): Promise<string[]> {
  const violations = await axeFindings(page, 'canvass-survey');
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  return [...found, ...(await cutWhenSpaced(page))];
}
