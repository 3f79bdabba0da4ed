/** A picture of each property that a page themes the widget with. */

import { type Album, SIZES } from './album.ts';
import { openScene } from './scene.ts';

/** Three beside each other. */
const SIZE = { width: SIZES.phone.width, height: 296 };
const LAUNCHER =
  'content: "Chat"; position: fixed; right: 16px; bottom: 16px; padding: 12px 20px; color: #fff; border-radius: 26px;';

/** By property: what a page says, and what else it shows. */
const THEME: Readonly<Record<string, readonly [value: string, css?: string]>> = {
  accent: ['#0a7d55'],
  'on-accent': ['#ffe9a8', ':root { --canvass-accent: #7a1f3d; }'],
  surface: ['#17322a', ':root { --canvass-accent: #8fd0ab; }'],
  text: ['#7a1f3d'],
  line: ['#e0a458'],
  radius: ['2px'],
  font: ['Georgia, "DejaVu Serif", serif'],
  offset: ['76px', `body::after { ${LAUNCHER} background: #0a7d55; }`],
  z: [
    '1',
    'body::after { content: "In front"; position: fixed; inset: auto 0 0; z-index: 2; padding: 20px; color: #fff; background: #17322a; }',
  ],
};

/** @param pages address of the customers' pages */
export async function shootThemes(album: Album, pages: string): Promise<void> {
  for (const [property, [value, css = '']] of Object.entries(THEME)) {
    const name = `theme-${property}`;
    if (!album.wants(name)) continue;
    const page = await openScene(await album.open({ viewport: SIZE }), pages, {
      survey: { type: 'csat', scale: { min: 1, max: 5 }, question: 'How was your order?' },
      css: `h1, #before { display: none; } ${css} :root { --canvass-${property}: ${value} !important; }`,
    });
    await page.locator('canvass-survey input[value="4"]').check();
    await album.keep(name, page);
    await page.context().close();
  }
}
