import { describe, expect, it } from 'vitest';
import { openShop, openShopShowing, type Shop, useShops } from '../support/shop.ts';

useShops();

const SLUGS = ['plain', 'nps-banner'] as const;

/** Animations while the box appears. */
const coming = ({ page }: Shop, slug: string): Promise<string[]> =>
  page.evaluate(
    (wanted) =>
      new Promise<string[]>((resolve) => {
        new MutationObserver((_, observer) => {
          const panel = document.querySelector('canvass-survey')?.shadowRoot?.querySelector('section');
          if (!panel) return;
          observer.disconnect();
          const moving = panel.getAnimations() as CSSTransition[];
          resolve(moving.map(({ transitionProperty }) => transitionProperty).toSorted());
        }).observe(document, { childList: true, subtree: true });
        window.canvass?.show(wanted);
      }),
    slug,
  );

const going = ({ region }: Shop): Promise<string[]> =>
  region.evaluate(async (panel) => {
    await Promise.all(panel.getAnimations().map(({ finished }) => finished));
    panel.querySelector<HTMLElement>('.close')?.click();
    const moving = panel.getAnimations() as CSSTransition[];
    return moving.map(({ transitionProperty }) => transitionProperty).toSorted();
  });

describe.each(SLUGS)('%s', (slug) => {
  it('fades and slides in and out', async () => {
    const shop = await openShop({ browser: { reducedMotion: 'no-preference' } });
    await shop.page.waitForFunction(() => window.canvass?.bind);
    expect(await coming(shop, slug)).toEqual(['opacity', 'translate']);
    expect(await going(shop)).toEqual(['opacity', 'translate']);
    await shop.region.waitFor({ state: 'detached' });
  });

  it('does not move with reduced motion', async () => {
    const shop = await openShop({ browser: { reducedMotion: 'reduce' } });
    await shop.page.waitForFunction(() => window.canvass?.bind);
    expect(await coming(shop, slug)).toEqual([]);
    expect(await going(shop)).toEqual([]);
    await shop.region.waitFor({ state: 'detached' });
  });
});

it.each(['no-preference', 'reduce'] as const)(
  'shrinks the box to thanks after the rating without a jump: motion %s',
  async (reducedMotion) => {
    const { page, region, radio, send } = await openShopShowing('plain', { browser: { reducedMotion } });
    // The animation's code has loaded.
    await page.waitForFunction(
      () => (document.querySelector('canvass-survey')?.shadowRoot?.adoptedStyleSheets.length ?? 0) > 1,
    );
    await radio(10).click();
    await send().waitFor();
    const height = () => region.evaluate((panel) => getComputedStyle(panel).height);
    const asked = await height();
    const shrunk = await region.evaluate((panel) => {
      panel.querySelector<HTMLElement>('.send')?.click();
      return new Promise<unknown>((resolve) =>
        requestAnimationFrame(() => {
          const [{ effect } = {}] = panel.getAnimations().filter((each) => !(each instanceof CSSTransition));
          resolve((effect as KeyframeEffect | undefined)?.getKeyframes().map((frame) => frame.height));
        }),
      );
    });
    await region.getByText('Thank you!').waitFor();
    await region.evaluate((panel) => Promise.all(panel.getAnimations().map(({ finished }) => finished)));
    const thanks = await height();
    expect(Number.parseFloat(thanks)).toBeLessThan(Number.parseFloat(asked));
    expect(shrunk).toEqual(reducedMotion === 'reduce' ? undefined : [asked, thanks]);
  },
);

it('narrows a banner to its thanks without a jump', async () => {
  const { page, region, radio, send } = await openShopShowing('nps-banner', {
    browser: { reducedMotion: 'no-preference' },
  });
  await page.waitForFunction(
    () => (document.querySelector('canvass-survey')?.shadowRoot?.adoptedStyleSheets.length ?? 0) > 1,
  );
  await radio(3).click();
  await send().click();
  await page.getByRole('textbox', { name: 'What is the main reason?' }).waitFor();
  const narrowed = await region.evaluate(async (panel) => {
    await Promise.all(panel.getAnimations().map(({ finished }) => finished));
    const wide = getComputedStyle(panel).width;
    panel.querySelector<HTMLElement>('.send')?.click();
    do await new Promise(requestAnimationFrame);
    while (!panel.matches('.thanks'));
    const glides = panel.getAnimations().filter((each) => !(each instanceof CSSTransition));
    const frames = glides.flatMap(({ effect }) => (effect as KeyframeEffect).getKeyframes());
    for (const glide of glides) glide.finish();
    const widths = [wide, ...frames.map(({ width }) => width), getComputedStyle(panel).width];
    return widths.map((width) => Math.round(Number.parseFloat(`${width}`)));
  });
  const [wide = 0, first, last, narrow = 0] = narrowed;
  expect(narrow).toBeLessThan(wide / 2);
  expect([first, last]).toEqual([wide, narrow]);
});

it.each(['no-preference', 'reduce'] as const)(
  'grows the box to its next step without a jump: motion %s',
  async (reducedMotion) => {
    const { page, region, radio, send } = await openShopShowing('nps-corner', { browser: { reducedMotion } });
    const heights = (next: string) =>
      region.evaluate(async (panel, selector) => {
        panel.querySelector<HTMLElement>('.send')?.click();
        do await new Promise(requestAnimationFrame);
        while (!panel.matches(`${selector}, :has(${selector})`));
        const [{ effect } = {}] = panel.getAnimations().filter((each) => !(each instanceof CSSTransition));
        return (effect as KeyframeEffect | undefined)?.getKeyframes().map(({ height }) => height);
      }, next);
    await radio(3).click();
    await send().waitFor();
    const height = () => region.evaluate((panel) => getComputedStyle(panel).height);
    const asked = await height();
    const grown = await heights('.more');
    await page.getByRole('textbox', { name: 'What is the main reason?' }).waitFor();
    await region.evaluate((panel) => Promise.all(panel.getAnimations().map(({ finished }) => finished)));
    const more = await height();
    const shrunk = await heights('.thanks');
    await region.evaluate((panel) => Promise.all(panel.getAnimations().map(({ finished }) => finished)));
    const thanks = await height();
    expect([grown, shrunk]).toEqual(
      reducedMotion === 'reduce'
        ? [undefined, undefined]
        : [
            [asked, more],
            [more, thanks],
          ],
    );
  },
);

it.each(['nps-corner', 'nps-banner'])(
  'keeps Send in place while a box at the lower edge grows: %s',
  async (slug) => {
    const { region, radio, send, page } = await openShopShowing(slug, {
      anonymous: true,
      browser: { reducedMotion: 'no-preference' },
    });
    await page.waitForFunction(
      () => (document.querySelector('canvass-survey')?.shadowRoot?.adoptedStyleSheets.length ?? 0) > 1,
    );
    await radio(3).click();
    await send().waitFor();
    /** Distance of Send from its final position, halfway. */
    const halfway = (pressed: string, next: string) =>
      region.evaluate(
        async (panel, [button = '', selector = '']) => {
          await Promise.all(panel.getAnimations().map(({ finished }) => finished));
          panel.querySelector<HTMLElement>(button)?.click();
          do await new Promise(requestAnimationFrame);
          while (!panel.querySelector(selector)?.getClientRects().length);
          const [glide] = panel.getAnimations().filter((each) => !(each instanceof CSSTransition));
          if (!glide) throw new Error('Nothing moves.');
          const bottom = () => panel.querySelector('.send')?.getBoundingClientRect().bottom ?? 0;
          glide.pause();
          glide.currentTime = 100;
          const [between, width] = [bottom(), panel.clientWidth];
          glide.finish();
          // Rewrapped words would move it, too.
          return Math.abs(between - bottom()) + Math.abs(width - panel.clientWidth);
        },
        [pressed, next],
      );
    expect(await halfway('.send', 'textarea')).toBeLessThan(1);
    // A field that the checkbox reveals also animates.
    if (slug === 'nps-corner') expect(await halfway('.contact input', '.address')).toBeLessThan(1);
    else await region.locator('.contact input').check();
    expect(await halfway('.send', '.address p:not(:empty)')).toBeLessThan(1);
    expect(await halfway('.back', '.values')).toBeLessThan(1);
  },
);

it.each([
  { slug: 'plain', pressed: ':checked, .send' },
  { slug: 'thumbs-corner', pressed: '.up' },
])('protects thanks that appear under the pointer from a double click: $slug', async ({ slug, pressed }) => {
  const { page, radio } = await openShopShowing(slug);
  const box = page.locator('canvass-survey section');
  await box.locator('.close').waitFor();
  if (slug === 'plain') await radio(10).click();
  const [first, later] = await box.evaluate(async (panel, buttons) => {
    for (const button of panel.querySelectorAll<HTMLElement>(buttons)) button.click();
    do await new Promise(requestAnimationFrame);
    while (!panel.matches('.thanks'));
    const close = panel.querySelector('.close');
    if (!close) throw new Error('There is nothing to close it by.');
    // Restarts the animation, however late the frame.
    const waits = close.getAnimations().filter((each) => each instanceof CSSAnimation);
    for (const wait of waits) wait.currentTime = 0;
    const atOnce = getComputedStyle(close).pointerEvents;
    for (const wait of waits) wait.finish();
    return [atOnce, getComputedStyle(close).pointerEvents];
  }, pressed);
  expect([first, later]).toEqual(['none', 'auto']);
});

it('shows sign and words of the thanks together from the first to the last frame', async () => {
  const { page, region, radio, send } = await openShopShowing('nps-corner', {
    browser: { reducedMotion: 'no-preference' },
  });
  await radio(3).click();
  await send().click();
  await page.getByRole('textbox', { name: 'What is the main reason?' }).waitFor();
  await region.evaluate((panel) => Promise.all(panel.getAnimations().map(({ finished }) => finished)));
  const { fading, gaps } = await region.evaluate(async (panel) => {
    panel.querySelector<HTMLElement>('.send')?.click();
    do await new Promise(requestAnimationFrame);
    while (!panel.matches('.thanks'));
    const parts = [...panel.querySelectorAll(':scope > svg, .title')];
    const gap = () => {
      const [one, other] = parts.map((part) => part.getBoundingClientRect());
      return Math.abs((one?.top ?? 0) - (other?.top ?? 0));
    };
    const first = gap();
    const moving = parts.map((part) =>
      part.getAnimations().some((each) => (each as CSSTransition).transitionProperty === 'opacity'),
    );
    await Promise.all(panel.getAnimations().map(({ finished }) => finished));
    return { fading: moving, gaps: [first, gap()] };
  });
  expect(fading).toEqual([true, true]);
  expect(gaps[0]).toBeCloseTo(gaps[1] ?? 0, 0);
});
