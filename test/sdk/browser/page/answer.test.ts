import { describe, expect, it } from 'vitest';
import { answer, outbox, posts, RESPONSES, rowsOf } from '../support/delivery.ts';
import { eventually } from '../support/patience.ts';
import {
  bench,
  openShop,
  openShopShowing,
  type Shop,
  storedRows,
  useShops,
  useStage,
} from '../support/shop.ts';
import { PRESENTATIONS, TYPES } from '../support/surveys.ts';
import { problemsOf } from '../support/use-chromium.ts';

const show = useStage();

/** A low and a high rating of each type, their positions on the scale, and the follow-up of the low one. */
const RATINGS = {
  nps: { low: 2, high: 9 },
  csat: { low: 2, high: 5 },
  ces: { low: 1, high: 7 },
  pmf: { low: 0, high: 2 },
} as const;

const cases = TYPES.flatMap((type) => PRESENTATIONS.map((presentation) => ({ type, presentation })));

async function expectStored(shop: Shop, slug: string, fields: Record<string, unknown>): Promise<void> {
  await eventually(async () => {
    const rows = await storedRows(shop.user);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      surveyId: bench.tenant.surveys[slug],
      surveySlug: slug,
      respondentId: shop.user,
      identityKind: 'identified',
      source: 'sdk',
      linked: false,
      ...fields,
    });
  });
}

it.each(cases)('stores an answer by mouse: $type, $presentation', async ({ type, presentation }) => {
  const slug = `${type}-${presentation}`;
  const shop = await show(slug);
  const { page, region, radio, send } = shop;
  const { low: rating } = RATINGS[type];
  await radio(rating).click();
  await send().click();
  await page.getByRole('textbox', { name: 'What is the main reason?' }).fill('Too slow. 🙂');
  await page.getByRole('checkbox', { name: 'You may contact me about this' }).click();
  await send().click();
  await region.getByText('Thank you!').waitFor();
  await expectStored(shop, slug, { rating, text: 'Too slow. 🙂', followUpRequested: true });
  expect(shop.requests).toEqual(['POST /v1/sdk/bootstrap', 'POST /v1/sdk/responses']);
});

it('offers reasons with the follow-up question of a low rating, and drafts them', async () => {
  const shop = await show('reasoned');
  const { page, region, radio, send } = shop;
  const chips = page.getByRole('group', { name: 'What went wrong?' });
  await radio(9).click();
  await send().click();
  await page.getByRole('textbox', { name: 'What went wrong?' }).waitFor();
  expect(await chips.isVisible()).toBe(false);
  await page.getByRole('button', { name: /9/ }).click();
  await radio(2).click();
  await send().click();
  await chips.getByRole('checkbox', { name: 'It was rude' }).click();
  await chips.getByRole('checkbox', { name: 'It was slow' }).click();
  await chips.getByRole('checkbox', { name: 'It was wrong' }).click();
  await chips.getByRole('checkbox', { name: 'It was wrong' }).click();
  expect(await problemsOf(page)).toEqual([]);
  await region.getByRole('button', { name: 'Close' }).click();
  await expectStored(shop, 'reasoned', { rating: 2, text: null, reasons: ['slow', 'rude'] });
});

it('sends only the rating on a double click on Send', async () => {
  const { page, radio, send, sent } = await show('nps-corner');
  await radio(3).click();
  await send().dblclick();
  await page.getByRole('textbox', { name: 'What is the main reason?' }).fill('Slow');
  await send().click();
  await expect.poll(() => sent.at(-1)?.body).toMatchObject({ rating: 3, text: 'Slow' });
});

it.each(cases)('stores an answer by keyboard: $type, $presentation', async ({ type, presentation }) => {
  const slug = `${type}-${presentation}`;
  const shop = await show(slug);
  const { page, region, radio, send } = shop;
  const { high: rating } = RATINGS[type];
  await region.waitFor();
  await page.focus(presentation === 'inline' ? '#before' : '#search');
  await page.keyboard.press('Tab');
  // The first or last value: arrow keys wrap around, and choose without sending.
  const steps = {
    nps: [0, 'ArrowLeft', 2],
    csat: [1, 'ArrowLeft', 1],
    ces: [1, 'ArrowLeft', 1],
    pmf: [2, '', 0],
  } as const;
  const [first, arrow, count] = steps[type];
  expect(await radio(first).evaluate((input) => input.matches(':focus-visible'))).toBe(true);
  if (!arrow) await page.keyboard.press('Space');
  for (let pressed = 0; pressed < count; pressed++) await page.keyboard.press(arrow);
  expect(await radio(rating).isChecked()).toBe(true);
  expect(shop.requests).toEqual(['POST /v1/sdk/bootstrap']);
  await page.keyboard.press('Tab');
  expect(await send().evaluate((button) => button.matches(':focus-visible'))).toBe(true);
  await page.keyboard.press('Enter');
  const words = region.getByRole('textbox');
  await expect.poll(() => words.evaluate((field) => field.matches(':focus'))).toBe(true);
  await page.keyboard.type('Fast');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await region.getByText('Thank you!').waitFor();
  await expectStored(shop, slug, { rating, text: 'Fast' });
  expect(shop.sent.at(-1)?.body).not.toHaveProperty('followUpRequested');
});

const ASKED = 'POST /v1/sdk/bootstrap';
const ANSWERED = 'POST /v1/sdk/responses';
const DRAFT_MINUTES = 10;

async function expectRated(shop: Shop, rating: number): Promise<void> {
  await eventually(async () => expect(await storedRows(shop.user)).toMatchObject([{ rating }]));
}

it('sends nothing for a choice or a changed choice alone', async () => {
  const shop = await openShopShowing('nps-corner', { prepare: (page) => page.clock.install() });
  await shop.radio(9).click();
  await shop.radio(3).click();
  await shop.page.clock.runFor((DRAFT_MINUTES - 1) * 60_000);
  expect(shop.requests).toEqual([ASKED]);
});

it.each<[string, (shop: Shop) => Promise<unknown>]>([
  ['is closed', ({ page }) => page.getByRole('button', { name: 'Close' }).click()],
  ['is left by Escape', ({ page }) => page.keyboard.press('Escape')],
  ['ends with the client', ({ page }) => page.evaluate('canvass.destroy()')],
])('sends the last choice as the answer when the survey %s', async (_, end) => {
  const shop = await show('nps-corner');
  await shop.radio(3).click();
  await shop.radio(9).click();
  await end(shop);
  await expectRated(shop, 9);
  expect(shop.requests).toEqual([ASKED, ANSWERED]);
});

it('dismisses when the survey is closed without a choice', async () => {
  const shop = await show('nps-corner');
  await shop.page.getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => shop.requests).toEqual([ASKED, 'POST /v1/dismissals']);
});

it('answers when the page is left after a choice', async () => {
  const shop = await openShopShowing('nps-corner');
  await shop.radio(9).click();
  await shop.page.goto('about:blank');
  await expectRated(shop, 9);
});

async function crash({ page, context }: Shop): Promise<void> {
  const session = await context.newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  await Promise.race([session.send('Page.crash').catch(() => undefined), crashed]);
  await crashed;
}

it('answers on the next page after a crash', async () => {
  const shop = await openShopShowing('nps-corner');
  await shop.radio(9).click();
  await crash(shop);
  await shop.page.close();
  expect(shop.requests).toEqual([ASKED]);
  const later = Date.now() + DRAFT_MINUTES * 60_000;
  await openShop({
    context: shop.context,
    user: shop.user,
    prepare: (page) => page.clock.install({ time: later }),
  });
  await expectRated(shop, 9);
});

it('answers from another tab for a page that hangs', async () => {
  const shop = await openShopShowing('nps-corner');
  const other = await openShop({
    context: shop.context,
    user: shop.user,
    prepare: (page) => page.clock.install(),
  });
  const fetched = other.page.waitForResponse('**/widget-*.js');
  await shop.radio(9).click();
  await (await fetched).finished();
  await shop.page.evaluate(() => {
    window.fetch = () => new Promise(() => {});
  });
  await other.page.clock.runFor((DRAFT_MINUTES + 1) * 60_000);
  await expectRated(shop, 9);
  expect(other.requests).toContain(ANSWERED);
});

useShops();

/** Requests a survey. Resolves with the reason why it is not shown. */
const refusal = ({ page }: Shop, slug: string) =>
  page.evaluate(
    (wanted) =>
      new Promise((told) => {
        window.canvass.on('notshown', (notShown) => notShown.slug === wanted && told(notShown.reason));
        window.canvass.show(wanted);
      }),
    slug,
  );

describe('two tabs', () => {
  it('remove a survey that was answered in the other, and store it once', async () => {
    const one = await openShopShowing('plain');
    const other = await openShopShowing('plain', { context: one.context, user: one.user });
    await other.region.waitFor();
    await answer(one);
    await other.region.waitFor({ state: 'detached' });
    expect(await refusal(other, 'plain')).toBe('suppressed');
    expect(await rowsOf(one, 1)).toMatchObject([{ rating: 9 }]);
    expect(posts(other)).toBe(0);
  });

  it('remove a survey for good that has a draft in the other', async () => {
    const one = await openShopShowing('nps-corner');
    const other = await openShopShowing('nps-corner', { context: one.context, user: one.user });
    await other.region.waitFor();
    await one.radio(4).click();
    await one.send().click();
    await other.region.waitFor({ state: 'detached' });
    expect(await refusal(other, 'nps-corner')).toBe('suppressed');
    expect(await other.page.locator('canvass-survey').count()).toBe(0);
    await one.page.getByRole('textbox', { name: 'What is the main reason?' }).fill('Slow');
    await one.send().click();
    expect(await rowsOf(one, 1)).toMatchObject([{ rating: 4, text: 'Slow' }]);
  });

  it('keep a survey with a draft, whatever the other stores', async () => {
    const one = await openShopShowing('nps-corner');
    const other = await openShop({ context: one.context, user: one.user });
    await one.radio(4).click();
    await one.send().click();
    await other.page.evaluate(() => {
      const [name = '', state = ''] = Object.entries(localStorage)[0] ?? [];
      localStorage.setItem(name, JSON.stringify({ ...JSON.parse(state), wait: 1 }));
    });
    await one.page.getByRole('textbox', { name: 'What is the main reason?' }).fill('Slow');
    await one.send().click();
    expect(await rowsOf(one, 1)).toMatchObject([{ rating: 4, text: 'Slow' }]);
  });

  it('send a waiting answer once', async () => {
    const one = await openShopShowing('plain');
    await one.region.waitFor();
    await one.page.route(RESPONSES, (route) => route.abort('internetdisconnected'));
    await answer(one);
    await expect.poll(async () => (await outbox(one.page))[0]).toMatchObject({ tries: 1 });
    await one.page.close();
    await one.context.clock.install({ time: Date.now() + 60_000 });
    const later = { context: one.context, user: one.user };
    const tabs = await Promise.all([openShop(later), openShop(later)]);
    expect(await rowsOf(one, 1)).toMatchObject([{ rating: 9 }]);
    await expect.poll(() => outbox(tabs[0].page)).toEqual([]);
  });
});
