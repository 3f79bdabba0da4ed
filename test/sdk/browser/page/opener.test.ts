import { describe, expect, it } from 'vitest';
import { answer } from '../support/delivery.ts';
import { eventually } from '../support/patience.ts';
import { bench, openShop, type Shop, type ShopOptions, storedRows, useShops } from '../support/shop.ts';

useShops();

const tenant = bench.openedTenant;
const rowsOf = ({ user }: Shop) => storedRows(user, tenant);

async function openPage(options: ShopOptions = {}): Promise<Shop> {
  const shop = await openShop({ tenant, options: { idleMs: 600_000 }, ...options });
  await shop.page.evaluate(() => {
    for (const slug of ['feedback', 'helpful', 'idea', 'rate-page', 'on-help', 'for-staff', 'nope']) {
      const button = document.createElement('button');
      button.textContent = slug;
      button.dataset.canvassOpen = slug;
      button.hidden = true;
      document.querySelector('main')?.append(button);
    }
  });
  return shop;
}

const openers = ({ page }: Shop) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[data-canvass-open]:not([hidden])')].map(
      ({ textContent }) => textContent,
    ),
  );
const opener = ({ page }: Shop, name = 'feedback') => page.getByRole('button', { name, exact: true });
const focused = ({ page }: Shop) =>
  page.evaluate(
    () => document.activeElement?.shadowRoot?.activeElement?.localName ?? document.activeElement?.textContent,
  );

describe('an opener', () => {
  it('opens its survey as often as it is clicked, and stores each answer', async () => {
    const shop = await openPage();
    for (let count = 1; count <= 2; count += 1) {
      await opener(shop).click();
      await answer(shop, 9);
      await eventually(async () => expect(await rowsOf(shop)).toHaveLength(count));
    }
    const [first] = await rowsOf(shop);
    expect(first).toMatchObject({ rating: 9, identityKind: 'identified' });
    expect([shop.shows, shop.requests.filter((path) => path.includes('dismissals'))]).toEqual([[], []]);
  });

  it('is usable with the keyboard alone, and Escape leads back to it and sends nothing', async () => {
    const shop = await openPage();
    await opener(shop).focus();
    await shop.page.keyboard.press('Enter');
    await shop.region.waitFor();
    await expect.poll(() => focused(shop)).toBe('input');
    await shop.page.keyboard.press('Escape');
    await shop.region.waitFor({ state: 'detached' });
    await expect.poll(() => focused(shop)).toBe('feedback');
    await opener(shop).click();
    await shop.region.waitFor();
    expect(shop.requests.filter((path) => !path.includes('bootstrap'))).toEqual([]);
  });

  it('is hidden for surveys of other pages and people, and for places that are missing', async () => {
    const shop = await openPage();
    await expect.poll(() => openers(shop)).toEqual(['feedback', 'helpful', 'idea']);
    await shop.page.evaluate(() => history.pushState(0, '', '/help'));
    await expect.poll(() => openers(shop)).toEqual(['feedback', 'helpful', 'idea', 'on-help']);
    await shop.page.evaluate((user) => {
      document
        .querySelector('main')
        ?.insertAdjacentElement('beforeend', document.createElement('div'))
        ?.setAttribute('data-canvass', 'rate-page');
      window.canvass.identify(user, { plan: 'staff' });
    }, shop.user);
    await expect
      .poll(() => openers(shop))
      .toEqual(['feedback', 'helpful', 'idea', 'rate-page', 'on-help', 'for-staff']);
    await opener(shop, 'rate-page').click();
    await shop.region.waitFor();
    expect(await shop.page.locator('[data-canvass="rate-page"] canvass-survey').count()).toBe(1);
  });

  it('keeps other surveys back while its survey is open, and replaces one that is shown', async () => {
    const shop = await openPage({ options: { idleMs: 50 } });
    await shop.region.waitFor();
    expect(await shop.page.locator('canvass-survey').count()).toBe(1);
    await opener(shop).click();
    await expect.poll(() => focused(shop)).toBe('input');
    expect(await shop.page.locator('canvass-survey').count()).toBe(1);
    await shop.page.waitForTimeout(700);
    expect(await shop.page.locator('canvass-survey').count()).toBe(1);
    await answer(shop, 7);
    await eventually(async () => expect(await rowsOf(shop)).toMatchObject([{ rating: 7 }]));
  });
});

it('stores the answers of two tabs that opened at the same time', async () => {
  const first = await openPage();
  const second = await openPage({ context: first.context, user: first.user });
  for (const shop of [first, second]) {
    await opener(shop).click();
    await shop.region.waitFor();
  }
  await answer(first, 8);
  await answer(second, 9);
  await eventually(async () =>
    expect((await rowsOf(first)).map(({ rating }) => rating).toSorted()).toEqual([8, 9]),
  );
});

it('sends a rating without Send for the person who gave it, when another person signs in', async () => {
  const shop = await openPage();
  await opener(shop).click();
  await shop.radio(5).click();
  // It closes without waiting for the service.
  await shop.page.route('**/v1/sdk/bootstrap', () => undefined);
  await shop.page.evaluate(() => window.canvass.identify('somebody-else'));
  await shop.region.waitFor({ state: 'detached' });
  await eventually(async () => expect(await rowsOf(shop)).toMatchObject([{ rating: 5 }]));
});

it.each([
  ['a person who is signed in', {}, true],
  ['a device', { anonymous: true }, true],
  ['a signed-in person without storage', { options: { storage: false } }, true],
  ['nobody, without storage', { anonymous: true, options: { storage: false } }, false],
])('`open` tells whether it can open for %s', async (_, options, isOpened) => {
  const shop = await openPage(options);
  expect(await shop.page.evaluate("canvass.open('feedback')")).toBe(isOpened);
  if (isOpened) return shop.region.waitFor();
  await shop.page.waitForLoadState('networkidle');
  expect(shop.sent.some(({ body }) => body.open)).toBe(false);
});

it('asks thumbs, and stores a thumb down', async () => {
  const shop = await openPage();
  await opener(shop, 'helpful').click();
  await shop.page.getByRole('button', { name: 'Not helpful' }).click();
  await eventually(async () => expect(await rowsOf(shop)).toMatchObject([{ rating: 0 }]));
});

it('opens inside the modal dialog of the opener, and again after the dialog was closed', async () => {
  const shop = await openPage();
  const show = () =>
    shop.page.evaluate(() => {
      const dialog = document.querySelector('dialog') ?? document.createElement('dialog');
      const [button] = document.querySelectorAll('[data-canvass-open="feedback"]');
      if (button) dialog.append(button);
      document.body.append(dialog);
      dialog.showModal();
    });
  for (let count = 0; count < 2; count += 1) {
    await show();
    await opener(shop).click();
    await expect.poll(() => focused(shop)).toBe('input');
    await shop.page.evaluate(() => document.querySelector('dialog')?.close());
  }
  await show();
  await opener(shop).click();
  await answer(shop, 9);
});

it('tries again with each click if a file of the widget cannot be loaded', async () => {
  const shop = await openPage();
  await shop.page.route(/\/sdk\/unscaled-/, (route) => route.abort());
  const failures = await shop.page.evaluateHandle(() => {
    const heard: unknown[] = [];
    window.canvass.on('error', (error) => heard.push(error));
    return heard;
  });
  for (let count = 1; count <= 2; count += 1) {
    await opener(shop, 'idea').click();
    await expect.poll(() => failures.evaluate(({ length }) => length)).toBe(count);
  }
  expect(shop.sent.filter(({ body }) => body.open === 'idea')).toHaveLength(2);
  await opener(shop).click();
  await shop.region.waitFor();
});
