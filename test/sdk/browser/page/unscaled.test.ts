/** Surveys of the types `choice` and `open`. */

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { orderedFor } from '../../../../shared/domain/surveys/sticky-hash.ts';
import { axeViolations } from '../support/axe.ts';
import { bench, type Scene, type Shop, useStage } from '../support/shop.ts';
import { PRESENTATIONS, SURVEYS } from '../support/surveys.ts';

const show = useStage();

const appearances: Readonly<Record<string, Scene>> = {
  corner: { scheme: 'dark' },
  inline: { forcedColors: 'active' },
  banner: { direction: 'rtl', lang: 'ar' },
};
const answers = ({ sent }: Shop) => sent.slice(1).map(({ path, body }) => [path, body.rating, body.text]);
const textboxes = (page: Page) => page.locator('canvass-survey').getByRole('textbox');

it.each(PRESENTATIONS)(
  'offers choices in the order of the link page, by keyboard: %s',
  async (presentation) => {
    const slug = `choice-${presentation}`;
    const shop = await show(slug);
    const { page, region, sent, user } = shop;
    const group = region.getByRole('group', { name: 'What do you use us for?' });
    await group.getByRole('radio').first().waitFor();
    const { choices = [] } = SURVEYS.find((survey) => survey.slug === slug) ?? {};
    const labels = orderedFor(choices, user, bench.tenant.surveys[slug] ?? '').map(({ label }) => label);
    expect(await group.locator('label').allTextContents()).toEqual(labels);
    expect(await axeViolations(page)).toEqual([]);
    await group.getByRole('radio', { name: labels[0] ?? '' }).focus();
    await page.keyboard.press('ArrowUp');
    expect(await group.getByRole('radio', { name: 'Something else' }).isChecked()).toBe(true);
    await page.keyboard.press('Enter');
    const words = page.getByRole('textbox', { name: 'What do you use us for?' });
    await expect.poll(() => words.evaluate((field) => field.matches(':focus'))).toBe(true);
    expect(await region.getByRole('checkbox').count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.type('As doorstops');
    await page.getByRole('button', { name: 'Back Something else' }).press('Enter');
    await group.getByRole('radio', { name: 'Nothing yet' }).check();
    await page.getByRole('button', { name: 'Send' }).click();
    await region.getByRole('checkbox', { name: 'It was slow' }).check();
    await region.getByRole('checkbox', { name: 'You may contact me' }).check();
    expect(await textboxes(page).count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Send' }).click();
    await region.getByText('Thank you!').waitFor();
    await expect.poll(() => answers(shop)).toEqual([['/v1/sdk/responses', 2, undefined]]);
    expect(sent.at(-1)?.body).toMatchObject({ reasons: ['slow'], followUpRequested: true });
  },
);

it('sends a high choice at once, and a choice that asks for words with them', async () => {
  const shop = await show('choice-corner');
  await shop.radio(1).click();
  await shop.send().click();
  await shop.region.getByText('Thank you!').waitFor();
  await expect.poll(() => answers(shop)).toEqual([['/v1/sdk/responses', 1, undefined]]);
  const other = await show('choice-inline');
  await other.radio(3).click();
  await other.send().click();
  await textboxes(other.page).fill('As doorstops');
  await other.page.keyboard.press('Escape');
  await expect.poll(() => answers(other)).toEqual([['/v1/sdk/responses', 3, 'As doorstops']]);
});

it.each(PRESENTATIONS)(
  'asks for words with the question, and sends nothing without: %s',
  async (presentation) => {
    const shop = await show(`open-${presentation}`);
    const { page, region, send } = shop;
    const words = page.getByRole('textbox', { name: 'What should we improve?' });
    await region.getByRole('status').filter({ hasText: 'Feedback: What should we improve?' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await send().isDisabled()).toBe(true);
    await words.fill('Nothing');
    expect(await send().isDisabled()).toBe(false);
    await words.fill(' \n');
    expect(await send().isDisabled()).toBe(true);
    await words.fill('Cheaper delivery');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await region.getByText('Thank you!').waitFor();
    await expect.poll(() => answers(shop)).toEqual([['/v1/sdk/responses', 0, 'Cheaper delivery']]);
  },
);

it.each([
  ['another choice', [1], [1, undefined]],
  ['the same choice, after another', [1, 3], [3, 'As doorstops']],
])('sends the words only with their choice, also when the survey is closed: %s', async (_, then, told) => {
  const shop = await show('choice-inline');
  await shop.radio(3).click();
  await shop.send().click();
  await textboxes(shop.page).fill('As doorstops');
  await shop.page.getByRole('button', { name: 'Back Something else' }).click();
  for (const rating of then) await shop.radio(rating).click();
  await shop.page.keyboard.press('Escape');
  await expect.poll(() => answers(shop)).toEqual([['/v1/sdk/responses', ...told]]);
});

it('keeps the words as a draft, and dismisses a survey without', async () => {
  const shop = await show('open-corner');
  await textboxes(shop.page).fill('Cheaper');
  await shop.page.keyboard.press('Escape');
  await expect.poll(() => answers(shop)).toEqual([['/v1/sdk/responses', 0, 'Cheaper']]);
  const other = await show('open-inline');
  await other.page.getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => answers(other)).toEqual([['/v1/dismissals', undefined, undefined]]);
});

it.each(PRESENTATIONS)('has no fault in other appearances: %s', async (presentation) => {
  for (const type of ['choice', 'open']) {
    const { page, region } = await show(`${type}-${presentation}`, appearances[presentation]);
    await region.locator('label').first().waitFor();
    expect(await axeViolations(page)).toEqual([]);
  }
});
