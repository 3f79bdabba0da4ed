import { describe, expect, it } from 'vitest';
import { axeViolations } from '../support/axe.ts';
import { boxOf, middleOf } from '../support/box.ts';
import { openShopShowing, type Shop, storedRows, useStage } from '../support/shop.ts';
import { PRESENTATIONS } from '../support/surveys.ts';

const show = useStage();

describe('from step to step', () => {
  it('shows the choice in the second step, goes back with the written text, and announces each question', async () => {
    const { page, region, radio, send, sent } = await show('nps-corner');
    const back = page.getByRole('button', { name: 'Back' });
    const words = page.getByRole('textbox', { name: 'What is the main reason?' });
    const status = region.getByRole('status');
    await status.filter({ hasText: 'Feedback: How likely are you to recommend us' }).waitFor();
    await radio(3).click();
    await send().click();
    await page.getByRole('button', { name: 'Back 3' }).waitFor();
    await status.filter({ hasText: 'What is the main reason?' }).waitFor();
    await words.fill('Slow.');
    await page.getByRole('checkbox').click();
    await back.click();
    expect(await radio(3).isChecked()).toBe(true);
    await status.filter({ hasText: 'How likely are you' }).waitFor();
    await radio(9).click();
    await send().click();
    await page.getByRole('button', { name: 'Back 9' }).waitFor();
    expect(await words.inputValue()).toBe('Slow.');
    expect(await page.getByRole('checkbox').count()).toBe(0);
    await send().click();
    await status.filter({ hasText: 'Thank you!' }).waitFor();
    await expect.poll(() => sent.at(-1)?.body).toMatchObject({ rating: 9, text: 'Slow.' });
    expect(sent.at(-1)?.body).not.toHaveProperty('followUpRequested');
  });

  it('leads keyboard users back to the chosen value', async () => {
    const { page, radio } = await show('nps-corner');
    await radio(3).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'What is the main reason?' }).waitFor();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => radio(3).evaluate((input) => input.matches(':focus'))).toBe(true);
  });

  it('skips a follow-up that cannot be loaded, and sends the rating', async () => {
    const { radio, send, region, sent } = await openShopShowing('nps-corner', {
      prepare: (page) => page.route('**/follow-up-*.js', (route) => route.fulfill({ status: 404 })),
    });
    await radio(3).click();
    await send().click();
    await region.getByText('Thank you!').waitFor();
    await expect.poll(() => sent.at(-1)?.body).toMatchObject({ rating: 3 });
  });

  it("shows the survey's thanks with a sign, and keeps a link until they are closed", async () => {
    const shop = await openShopShowing('worded', { prepare: (page) => page.clock.install() });
    await shop.radio(9).click();
    await shop.page.getByRole('button', { name: 'Submit' }).click();
    await shop.page.getByRole('button', { name: 'Submit' }).click();
    await shop.region.getByText('Many thanks.').waitFor();
    expect(await shop.region.locator('> svg').count()).toBe(1);
    const link = shop.page.getByRole('link', { name: 'Write a review' });
    expect(await link.getAttribute('href')).toBe('https://example.com/review');
    await shop.page.mouse.move(1, 1);
    await shop.page.clock.runFor(600_000);
    expect(await shop.region.isVisible()).toBe(true);
    expect(middleOf(await boxOf(link)).x).toBeCloseTo(middleOf(await boxOf(shop.region)).x, 0);
    await shop.page.getByRole('button', { name: 'Not now' }).click();
    await shop.page.clock.runFor(1_000);
    await shop.region.waitFor({ state: 'detached' });
  });

  it('omits a link that leads to no page', async () => {
    const thanks = { text: 'Many thanks.', link: { label: 'Write a review', url: 'javascript:alert(1)' } };
    const shop = await show('worded', { survey: { thanks } });
    await shop.radio(9).click();
    await shop.page.getByRole('button', { name: 'Submit' }).click();
    await shop.page.getByRole('button', { name: 'Submit' }).click();
    await shop.region.getByText('Many thanks.').waitFor();
    expect(await shop.region.locator('a').count()).toBe(0);
  });
});

describe('texts by rating', () => {
  const answersOf = ({ sent }: Shop) => sent.filter(({ path }) => path === '/v1/sdk/responses');

  it.each(PRESENTATIONS)(
    'follow the latest rating, keep what was typed, and are sent as one answer with what the rating asks for: %s',
    async (presentation) => {
      const shop = await show('rated', { survey: { presentation } });
      const { page, region, radio, send, user } = shop;
      const back = page.getByRole('button', { name: 'Back' });
      const rate = async (rating: number, question: string) => {
        await radio(rating).click();
        await send().click();
        const field = page.getByRole('textbox', { name: question, exact: true });
        await field.waitFor();
        await region.getByRole('status').filter({ hasText: question }).waitFor();
        expect(await page.locator('canvass-survey textarea').count()).toBe(1);
        expect(await axeViolations(page)).toEqual([]);
        return field;
      };
      await (await rate(3, 'What went wrong?')).fill('Slow.');
      await page.getByRole('checkbox').click();
      await back.click();
      expect(await (await rate(5, 'What went wrong?')).inputValue()).toBe('Slow.');
      expect(await page.getByRole('checkbox').isChecked()).toBe(true);
      await back.click();
      const other = await rate(8, 'What could be better?');
      expect(await other.inputValue()).toBe('Slow.');
      await other.fill('Slow, but good.');
      await back.click();
      await radio(10).click();
      await send().click();
      await region.getByText('Glad to hear it!').waitFor();
      expect(await page.getByRole('link', { name: 'Write a review' }).getAttribute('href')).toBe(
        'https://example.com/review',
      );
      expect(await page.locator('canvass-survey textarea').count()).toBe(0);
      expect(await axeViolations(page)).toEqual([]);
      await expect.poll(() => storedRows(user)).toMatchObject([{ rating: 10, text: null }]);
      expect(answersOf(shop)).toHaveLength(1);
    },
  );

  it('are reached with the keyboard alone, which ends on the link', async () => {
    const shop = await show('rated');
    const { page, radio } = shop;
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await radio(3).focus();
    await press('Space', 'Enter');
    const field = page.getByRole('textbox', { name: 'What went wrong?' });
    await expect.poll(() => field.evaluate((element) => element.matches(':focus'))).toBe(true);
    await page.keyboard.type('Slow.');
    await press('Shift+Tab', 'Enter');
    await expect.poll(() => radio(3).evaluate((input) => input.matches(':focus'))).toBe(true);
    // The choice goes from 0 to 10.
    await press('ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'Enter');
    const link = page.getByRole('link', { name: 'Write a review' });
    await expect.poll(() => link.evaluate((element) => element.matches(':focus'))).toBe(true);
    await expect.poll(() => answersOf(shop)).toMatchObject([{ body: { rating: 10 } }]);
    expect(answersOf(shop)[0]?.body).not.toHaveProperty('text');
  });

  it.each([
    [3, 'Was lief schief?', 'We read every word.'],
    [8, 'What could be better?', 'We read every word.'],
    [10, undefined, 'Das freut uns!'],
  ])('are translated as far as there is a translation: %i', async (rating, question, thanks) => {
    const { page, radio, send, region } = await show('rated', { lang: 'de' });
    await region.getByRole('group', { name: 'Empfehlen Sie uns?' }).waitFor();
    await radio(rating).click();
    await send().click();
    if (question) {
      await page.getByRole('textbox', { name: question, exact: true }).waitFor();
      await send().click();
    }
    await region.getByText(thanks).waitFor();
    expect(await region.getByRole('link').allTextContents()).toEqual(rating === 10 ? ['Bewerten'] : []);
  });

  it('follow the thumb', async () => {
    const up = await show('rated-thumbs');
    await up.page.getByRole('button', { name: 'Helpful', exact: true }).click();
    await up.page.locator('canvass-survey').getByText('Glad to hear it!').waitFor();
    await expect.poll(() => answersOf(up)).toMatchObject([{ body: { rating: 1 } }]);
    const down = await show('rated-thumbs');
    await down.page.getByRole('button', { name: 'Not helpful' }).click();
    await down.page.getByRole('textbox', { name: 'What was missing?' }).fill('The price');
    expect(await axeViolations(down.page)).toEqual([]);
    await down.page.getByRole('button', { name: 'Send' }).click();
    await down.page.locator('canvass-survey').getByText('We read every word.').waitFor();
    await expect.poll(() => storedRows(down.user)).toMatchObject([{ rating: 0, text: 'The price' }]);
  });

  it('are the plain ones while their code cannot be loaded, and the rating is sent', async () => {
    const shop = await openShopShowing('rated', {
      prepare: (page) => page.route('**/locales-*.js', (route) => route.fulfill({ status: 404 })),
    });
    await shop.radio(9).click();
    await shop.send().click();
    await shop.region.getByText('Thank you!').waitFor();
    await expect.poll(() => answersOf(shop)).toMatchObject([{ body: { rating: 9 } }]);
  });
});

/** Animations that run while the box appears. */
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

const prepared = ({ page }: Shop) =>
  page.waitForFunction(
    () => (document.querySelector('canvass-survey')?.shadowRoot?.adoptedStyleSheets.length ?? 0) > 1,
  );

describe.each(['plain', 'nps-banner'])('%s', (slug) => {
  it.each([
    { reducedMotion: 'no-preference', moving: ['opacity', 'translate'] } as const,
    { reducedMotion: 'reduce', moving: [] } as const,
  ])(
    'fades and slides in and out, unless motion is reduced: $reducedMotion',
    async ({ reducedMotion, moving }) => {
      const shop = await show('none', { reducedMotion });
      expect(await coming(shop, slug)).toEqual(moving);
      expect(await going(shop)).toEqual(moving);
      await shop.region.waitFor({ state: 'detached' });
    },
  );
});

it('narrows a banner to its thanks without a jump', async () => {
  const shop = await show('nps-banner', { reducedMotion: 'no-preference' });
  const { page, region, radio, send } = shop;
  await prepared(shop);
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

/** The button that is pressed, and the step that appears then. */
const FOLLOW_UP = ['.send', '.more'] as const;
const THUMB_DOWN = ['.down', '.more'] as const;
const THANKS = ['.send', '.thanks'] as const;

describe.each(['no-preference', 'reduce'] as const)('without a jump, motion %s', (reducedMotion) => {
  it.each([
    ['plain', [THANKS]] as const,
    ['nps-corner', [FOLLOW_UP, THANKS]] as const,
    ...PRESENTATIONS.map((presentation) => [`thumbs-${presentation}`, [THUMB_DOWN, THANKS]] as const),
  ])('grows to its next step and shrinks to its thanks: %s', async (slug, steps) => {
    const shop = await show(slug, { reducedMotion });
    const box = shop.page.locator('canvass-survey section');
    if (slug.startsWith('thumbs')) await box.locator('.up').waitFor();
    else {
      await prepared(shop);
      await shop.radio(10).click();
    }
    const arrived = () =>
      box.evaluate(async (panel) => {
        await Promise.all(panel.getAnimations().map(({ finished }) => finished));
        return getComputedStyle(panel).height;
      });
    for (const [pressed, next] of steps) {
      const before = await arrived();
      const heights = await box.evaluate(
        async (panel, [button = '', part]) => {
          panel.querySelector<HTMLElement>(button)?.click();
          do await new Promise(requestAnimationFrame);
          while (!panel.matches(`${part}, :has(${part})`));
          const [{ effect } = {}] = panel.getAnimations().filter((each) => !(each instanceof CSSTransition));
          return (effect as KeyframeEffect | undefined)?.getKeyframes().map(({ height }) => height);
        },
        [pressed, next],
      );
      const after = await arrived();
      expect(Number.parseFloat(after) > Number.parseFloat(before)).toBe(next === '.more');
      expect(heights).toEqual(reducedMotion === 'reduce' ? undefined : [before, after]);
    }
    await shop.page.getByRole('button', { name: 'Close' }).click();
    await box.waitFor({ state: 'detached' });
  });
});

it.each(['nps-corner', 'nps-banner'])(
  'keeps Send in place while a box at the lower edge grows: %s',
  async (slug) => {
    const shop = await show(slug, { anonymous: true, reducedMotion: 'no-preference' });
    const { region, radio, send } = shop;
    await prepared(shop);
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
          // Rewrapped texts would also move it.
          return Math.abs(between - bottom()) + Math.abs(width - panel.clientWidth);
        },
        [pressed, next],
      );
    expect(await halfway('.send', 'textarea')).toBeLessThan(1);
    // A field that the checkbox reveals is animated, too.
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
  const { page, radio } = await show(slug);
  const box = page.locator('canvass-survey section');
  await box.locator('.close').waitFor();
  if (slug === 'plain') await radio(10).click();
  const [first, later] = await box.evaluate(async (panel, buttons) => {
    for (const button of panel.querySelectorAll<HTMLElement>(buttons)) button.click();
    do await new Promise(requestAnimationFrame);
    while (!panel.matches('.thanks'));
    const close = panel.querySelector('.close');
    if (!close) throw new Error('There is nothing to close it by.');
    // Restarts the animation, even if the frame was late.
    const waits = close.getAnimations().filter((each) => each instanceof CSSAnimation);
    for (const wait of waits) wait.currentTime = 0;
    const atOnce = getComputedStyle(close).pointerEvents;
    for (const wait of waits) wait.finish();
    return [atOnce, getComputedStyle(close).pointerEvents];
  }, pressed);
  expect([first, later]).toEqual(['none', 'auto']);
});

it('shows sign and words of the thanks together from the first to the last frame', async () => {
  const { page, region, radio, send } = await show('nps-corner', { reducedMotion: 'no-preference' });
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
