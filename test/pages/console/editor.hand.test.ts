/** What stays at hand in the editor: actions in a long form, the focus, and in a dialog what counts. */

import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { useChromium } from '../../sdk/browser/support/use-chromium.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { useServedService } from '../../support/service/served-service.ts';
import { openEditor, questionOf } from './support/editor-page.ts';

const browser = useChromium();
const { service, gateway } = await useServedService();

async function open(hash: string, viewport: { width: number; height: number }) {
  const { project } = await service.tenant({}, [aSurvey({ status: 'active' }, { slug: 'nps' })]);
  return openEditor(browser, { service, url: gateway.url, projectId: project.id }, hash, { viewport });
}

/** Whether all four corners of it are in the window, and nothing lies over them. */
const isSeen = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    const corners = [left + 6, right - 6].flatMap((x) => [top + 6, bottom - 6].map((y) => [x, y] as const));
    return corners.every(([x, y]) => node.contains(node.ownerDocument.elementFromPoint(x, y)));
  });

it.each([
  ['at a desk', { width: 1_280, height: 720 }],
  ['on a phone', { width: 375, height: 660 }],
])('%s, what is done with a survey is seen from each place in the form', async (_, viewport) => {
  const { page } = await open('#/survey/nps/edit', viewport);
  await questionOf(page).fill('Mine?');
  const publish = page.getByRole('button', { name: 'Publish changes', disabled: false });
  await publish.waitFor();
  for (const field of [
    questionOf(page),
    page.getByRole('button', { name: 'Add a condition' }),
    page.getByLabel('Add a language'),
  ]) {
    await field.focus();
    await expect.poll(() => isSeen(field)).toBe(true);
    expect(await isSeen(publish)).toBe(true);
    expect(await isSeen(page.getByText('More', { exact: true }))).toBe(true);
  }
});

it('before it is published, what it does and what went wrong are seen without scrolling', async () => {
  const { page } = await open('#/survey/nps/edit', { width: 800, height: 520 });
  await questionOf(page).fill('Mine?');
  await page.getByRole('textbox', { name: 'Follow-up question' }).fill('Why?');
  await page.getByLabel('Percentage of people asked').fill('10');
  await page.getByRole('radio', { name: /^Again after some time/ }).check();
  await page.getByRole('radio', { name: /^As a banner/ }).check();
  await page.getByRole('textbox', { name: 'Message after the response' }).fill('Thanks a lot');
  await page.getByRole('button', { name: 'Publish changes' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('are added up').waitFor();
  expect(await isSeen(dialog.getByRole('list', { name: 'Warnings' }))).toBe(true);
  await page.route('**/v1/surveys/definitions', (route) => route.abort());
  await dialog.getByRole('button', { name: 'Publish changes' }).click();
  const wrong = dialog.getByRole('alert');
  await wrong.waitFor();
  expect(await isSeen(wrong)).toBe(true);
  expect(await isSeen(dialog.getByRole('button', { name: 'Publish changes' }))).toBe(true);
});

it('what is added has the focus; what is removed gives it to what adds another', async () => {
  const { page } = await open('#/new', { width: 1_280, height: 800 });
  const focused = () => page.evaluate('document.activeElement.id');
  for (const [add, field, remove] of [
    ['Add a reason', 'field-reasons-0-label', 'Remove reason 1'],
    ['Add a condition', 'field-targeting-0-trait', 'Remove condition 1'],
    ['Add a page', 'field-pages-0-', 'Remove page 1'],
    ['Add a breakdown', 'field-segments-name', 'Remove breakdown 1'],
  ] as const) {
    await page.getByRole('button', { name: add }).click();
    await expect.poll(focused).toBe(field);
    await page.getByRole('button', { name: remove }).click();
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe(add);
  }
  await page.getByLabel('Add a language').selectOption('de');
  await expect.poll(focused).toBe('field-locales-de-question');
  await page.getByRole('button', { name: 'Remove German' }).click();
  await expect.poll(focused).toBe('add-language');
});

it('a survey that has just been made says so, and the menu closes when it is left', async () => {
  const { page } = await open('#/new', { width: 1_280, height: 800 });
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('made');
  await page.getByRole('button', { name: 'Save draft' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save draft' }).click();
  await page.getByRole('heading', { name: 'Edit made Draft' }).waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('The draft is saved.');
  const more = page.getByText('More', { exact: true });
  const archive = page.getByRole('button', { name: 'Archive' });
  await more.click();
  await archive.waitFor();
  await page.keyboard.press('Escape');
  await archive.waitFor({ state: 'hidden' });
  await more.click();
  await archive.waitFor();
  await questionOf(page).click();
  await archive.waitFor({ state: 'hidden' });
});
