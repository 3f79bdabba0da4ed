import type { Page } from 'playwright-core';
import { type Album, inScheme, SCHEMES } from './album.ts';
import { openScene } from './scene.ts';

const WIDTH = 320;
const LOW = 240;
const HIGH = 290;

interface Theme {
  readonly values: readonly [light: string, dark: string];
  readonly css?: string;
  readonly isCommented?: boolean;
  readonly height?: number;
}

const LAUNCHER =
  'content: "Chat"; position: fixed; right: 12px; bottom: 12px; padding: 8px 20px; color: #fff; border-radius: 20px; background: #0a7d55;';
const BAR =
  'content: "z-index: 2"; position: fixed; inset: auto 0 0; z-index: 2; padding: 1px 12px; font: 13px/20px monospace; color: #fff; background: #17322a;';

const THEMES: Readonly<Record<string, Theme>> = {
  accent: { values: ['#0a7d55', '#5fd3a6'] },
  'on-accent': { values: ['#ffe27a', '#7a0f3c'] },
  surface: { values: ['#fdeecb', '#3b2a4d'] },
  text: { values: ['#a3123f', '#ffb0c4'] },
  font: { values: ['Georgia, serif', 'Georgia, serif'] },
  z: { values: ['1', '1'], css: `body::after { ${BAR} }` },
  line: { values: ['#d6006c', '#ff7ab8'], isCommented: true, height: HIGH },
  radius: { values: ['0px', '0px'], isCommented: true, height: HIGH },
  offset: { values: ['56px', '56px'], css: `body::after { ${LAUNCHER} }`, height: HIGH },
};

const cssOf = (said: string, css: string) => `
  h1, #before { display: none; }
  body::before {
    content: ${JSON.stringify(said)};
    position: fixed;
    inset: 10px 12px auto;
    font: 13px/20px monospace;
    color: light-dark(#4a5058, #a9b0ba);
  }
  ${css}
  :root { ${said} !important; }
`;

async function comment(page: Page): Promise<void> {
  await page.locator('canvass-survey .send').click();
  const words = page.locator('canvass-survey textarea');
  await words.fill('The parcel came a day early.');
  await words.blur();
}

export async function shootThemes(album: Album, pages: string): Promise<void> {
  for (const [property, { values, css = '', isCommented, height = LOW }] of Object.entries(THEMES))
    for (const scheme of SCHEMES) {
      const name = inScheme(`theme-${property}`, scheme);
      if (!album.wants(name)) continue;
      const said = `--canvass-${property}: ${values[SCHEMES.indexOf(scheme)]}`;
      const page = await openScene(await album.open({ viewport: { width: WIDTH, height } }), pages, {
        survey: {
          type: 'csat',
          scale: { min: 1, max: 5 },
          question: 'How was your order?',
          followUpQuestion: 'What did you like?',
        },
        page: { scheme },
        css: cssOf(said, css),
      });
      await page.locator('canvass-survey input[value="4"]').check();
      if (isCommented) await comment(page);
      await album.keep(name, page);
      await page.context().close();
    }
}
