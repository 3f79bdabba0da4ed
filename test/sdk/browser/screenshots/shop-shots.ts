import type { Page } from 'playwright-core';
import { type Album, inScheme, SCHEMES, type Scheme, SIZES } from './album.ts';

interface Shot {
  readonly path: string;
  readonly size: { readonly width: number; readonly height: number };
  /** By default both, each with its own name. */
  readonly scheme?: Scheme;
  readonly act: (page: Page) => Promise<unknown>;
  readonly more?: object;
}

const part = (page: Page, selector: string) => page.locator(`canvass-survey ${selector}`);
const rate = (value: number) => (page: Page) => part(page, `input[value="${value}"]`).check();

const SHOTS: Readonly<Record<string, Shot>> = {
  'nps-corner': { path: 'shop.html?ask=recommend', size: SIZES.half, act: rate(9) },
  'thumbs-chat': {
    path: 'chat.html',
    size: SIZES.half,
    async act(page) {
      // Hides the demo's note about the missing agent.
      await page.addStyleTag({ content: 'h1 + .hint { display: none; }' });
      await part(page, '.down').click();
      await part(page, 'textarea').fill(
        'How much each time, and whether it may be cold. Ours stands beside a radiator, and its tips turn brown.',
      );
    },
  },
  'csat-inline': {
    path: 'shop.html?survey=checkout&ask=checkout',
    size: SIZES.half,
    scheme: 'light',
    act: rate(4),
  },
  'pmf-corner-dark': { path: 'shop.html?ask=miss-us', size: SIZES.half, scheme: 'dark', act: rate(2) },
  'ces-banner': {
    path: 'shop.html?ask=returns',
    size: { width: 1_240, height: 640 },
    scheme: 'light',
    act: rate(6),
  },
  thanks: {
    path: 'shop.html?ask=recommend',
    size: SIZES.half,
    scheme: 'light',
    more: {
      thanks: {
        text: 'Thank you! Would you tell others?',
        link: { label: 'Write a review', url: 'https://example.com' },
      },
    },
    async act(page) {
      await rate(10)(page);
      await part(page, '.send').click();
      await part(page, 'textarea').waitFor();
      await part(page, '.send').click();
      await part(page, '.thanks').waitFor();
    },
  },
  'nps-phone': { path: 'shop.html?ask=recommend', size: SIZES.phone, scheme: 'dark', act: rate(8) },
  'nps-arabic': {
    path: 'shop.html?ask=recommend&language=ar',
    size: SIZES.phone,
    scheme: 'light',
    act: rate(7),
  },
  'follow-up': {
    path: 'shop.html?ask=recommend&person=',
    size: SIZES.phone,
    scheme: 'light',
    async act(page) {
      await rate(4)(page);
      await part(page, '.send').click();
      await page.getByRole('checkbox').first().check();
      await part(page, 'textarea').fill('The parcel came late.');
      await page.getByRole('checkbox').last().check();
      await part(page, 'input[type=email]').fill('ann@example.com');
    },
  },
};

export async function shootShop(album: Album, url: string): Promise<void> {
  for (const [base, { path, size, scheme: only, act, more }] of Object.entries(SHOTS))
    for (const scheme of only ? [only] : SCHEMES) {
      const name = only ? base : inScheme(base, scheme);
      if (!album.wants(name)) continue;
      const page = await album.open({ viewport: size, colorScheme: scheme });
      await page.route('**/v1/sdk/bootstrap', async (route) => {
        const response = await route.fetch();
        const offer: { surveys: object[] } = await response.json();
        await route.fulfill({
          response,
          json: { ...offer, surveys: offer.surveys.map((survey) => ({ ...survey, ...more })) },
        });
      });
      const address = new URL(`${url}/demo/${path}`);
      // Uses a new person for each picture.
      if (!address.searchParams.has('person')) address.searchParams.set('person', name);
      await page.goto(address.href);
      await act(page);
      await album.keep(name, page);
      await page.context().close();
    }
  for (const scheme of SCHEMES) {
    const both = ['nps-corner', 'thumbs-chat'].map((name) => inScheme(name, scheme));
    await album.join(inScheme('front', scheme), both, 'row');
    await album.join(inScheme('front-phone', scheme), both, 'column');
  }
}
