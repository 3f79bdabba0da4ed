/** Questions after the rating. */

import { expect, it } from 'vitest';
import { axeViolations } from '../support/axe.ts';
import { outbox, rowsOf } from '../support/delivery.ts';
import { openShop, openShopShowing, type Shop, useStage } from '../support/shop.ts';
import { PRESENTATIONS } from '../support/surveys.ts';

const show = useStage();
const sentAnswers = ({ sent }: Shop) =>
  sent.slice(1).map(({ path, body }) => [path, body.rating, body.answers]);
const RESPONSES = '/v1/sdk/responses';
const REVISIONS = '/v1/sdk/revisions';
const press = ({ page }: Shop, name: string) => page.getByRole('button', { name, exact: true }).click();
const hears = ({ region }: Shop, hasText: string) => region.getByRole('status').filter({ hasText }).waitFor();

it('walks through many, one and text by keyboard, and Back keeps what was entered', async () => {
  const shop = await show('asked-corner');
  const { page, region, radio, send } = shop;
  await radio(9).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Why?' }).fill('Fast');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await hears(shop, '1 of 3 What do you use us for?');
  const reports = region.getByRole('checkbox', { name: 'Reports' });
  await expect.poll(() => reports.evaluate((box) => box.matches(':focus'))).toBe(true);
  expect(await axeViolations(page)).toEqual([]);
  expect(await page.getByRole('button', { name: 'Skip' }).isVisible()).toBe(true);
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await hears(shop, '2 of 3 What is your role?');
  expect(await axeViolations(page)).toEqual([]);
  const dev = region.getByRole('radio', { name: 'Developer' });
  await page.keyboard.press('Space');
  await page.keyboard.press('Space');
  expect(await dev.isChecked()).toBe(true);
  await page.keyboard.press('Enter');
  const more = page.getByRole('textbox', { name: 'Anything else?' });
  await expect.poll(() => more.evaluate((box) => box.matches(':focus'))).toBe(true);
  await page.keyboard.type('More colors');
  expect(await axeViolations(page)).toEqual([]);
  for (const name of ['2 of 3', '1 of 3', 'Why?']) {
    await page.getByRole('button', { name: 'Back' }).press('Enter');
    await region.getByText(name, { exact: true }).first().waitFor();
  }
  await press(shop, 'Next');
  expect(await reports.isChecked()).toBe(true);
  await press(shop, 'Next');
  expect(await dev.isChecked()).toBe(true);
  await press(shop, 'Next');
  expect(await more.inputValue()).toBe('More colors');
  await send().click();
  await region.getByText('Thank you!').waitFor();
  const answers = { use: ['reports'], role: 'dev', more: 'More colors' };
  await expect.poll(() => sentAnswers(shop)).toEqual([[RESPONSES, 9, answers]]);
  expect(await rowsOf(shop, 1)).toMatchObject([{ text: 'Fast', answers }]);
});

it.each(PRESENTATIONS)(
  'sends null for a skipped question and nothing for one not reached, on close: %s',
  async (presentation) => {
    const shop = await show(`asked-${presentation}`, {
      lang: 'ar',
      direction: 'rtl',
      scheme: 'dark',
      width: 320,
    });
    await shop.radio(9).click();
    await shop.send().click();
    await press(shop, 'التالي');
    await press(shop, 'تخطٍّ');
    await shop.region.getByText('ما دورك؟', { exact: true }).waitFor();
    await shop.region.getByText('مطوّر').click();
    expect(await axeViolations(shop.page)).toEqual([]);
    await shop.page.keyboard.press('Escape');
    await expect.poll(() => sentAnswers(shop)).toEqual([[RESPONSES, 9, { use: null, role: 'dev' }]]);
  },
);

it('drops the answers that a changed rating no longer asks', async () => {
  const shop = await show('asked-inline');
  await shop.radio(9).click();
  await shop.send().click();
  await press(shop, 'Next');
  await press(shop, 'Skip');
  await shop.region.getByText('Other').click();
  for (let step = 0; step < 3; step++) await shop.page.getByRole('button', { name: 'Back' }).click();
  await shop.radio(8).click();
  await shop.send().click();
  await press(shop, 'Next');
  await press(shop, 'Skip');
  await shop.region.getByText('2 of 2', { exact: true }).waitFor();
  await shop.region.getByRole('radio', { name: '4' }).click();
  await shop.send().click();
  await expect.poll(() => sentAnswers(shop)).toEqual([[RESPONSES, 8, { use: null, ease: 4 }]]);
});

it('asks questions of a survey without a scale after its words', async () => {
  const shop = await show('open-asked');
  await shop.region.getByRole('textbox').fill('Colors');
  await shop.send().click();
  await shop.region.getByRole('radio', { name: '7' }).click();
  await shop.page.getByRole('button', { name: 'Back' }).click();
  expect(await shop.region.getByRole('textbox').inputValue()).toBe('Colors');
  await shop.send().click();
  await shop.send().click();
  await expect.poll(() => sentAnswers(shop)).toEqual([[RESPONSES, 0, { ease: 7 }]]);
  expect(shop.sent.at(-1)?.body).toMatchObject({ text: 'Colors' });
});

it('stores a draft once after ten minutes, and later answers as revisions', async () => {
  const shop = await openShopShowing('asked-corner', { prepare: (page) => page.clock.install() });
  await shop.radio(9).click();
  await shop.send().click();
  await press(shop, 'Next');
  await shop.region.getByText('Reports').click();
  await shop.page.clock.fastForward(11 * 60_000);
  await expect.poll(() => sentAnswers(shop)).toEqual([[RESPONSES, 9, { use: ['reports'] }]]);
  await expect.poll(() => outbox(shop.page)).toEqual([]);
  await press(shop, 'Next');
  await shop.page.clock.fastForward(11 * 60_000);
  await expect.poll(() => sentAnswers(shop).at(-1)).toEqual([REVISIONS, 9, { use: ['reports'], role: null }]);
  await shop.region.getByText('Developer').click();
  await shop.page.keyboard.press('Escape');
  const answers = { use: ['reports'], role: 'dev' };
  await expect.poll(() => sentAnswers(shop).at(-1)).toEqual([REVISIONS, 9, answers]);
  await expect.poll(async () => (await rowsOf(shop, 1))[0]).toMatchObject({ revision: 2, answers });
});

it('sends the answers of a page that was lost on the next page', async () => {
  const shop = await openShopShowing('asked-corner');
  await shop.radio(9).click();
  await shop.send().click();
  await press(shop, 'Next');
  await shop.region.getByText('Alerts').click();
  const session = await shop.context.newCDPSession(shop.page);
  const crashed = shop.page.waitForEvent('crash');
  await Promise.race([session.send('Page.crash').catch(() => undefined), crashed]);
  await crashed;
  await shop.page.close();
  const prepare = { prepare: (page: Shop['page']) => page.clock.install({ time: Date.now() + 660_000 }) };
  await openShop({ context: shop.context, user: shop.user, ...prepare });
  expect(await rowsOf(shop, 1)).toMatchObject([{ rating: 9, answers: { use: ['alerts'] } }]);
});
