/** The preview shows the real widget in a frame that cannot reach the console and sends nothing. */

import { expect, it } from 'vitest';
import { askedIn, choose, goTo, press, previewOf, questionOf, useEditor } from './support/open-console.ts';

const editor = await useEditor();

async function open() {
  const opened = await editor.open('#/new');
  await previewOf(opened.page).getByRole('radio').first().waitFor();
  return { ...opened, widget: previewOf(opened.page), before: opened.requests.length };
}

it('shows each step of each type, in each language and color, while the survey is typed', async () => {
  const { page, widget, before, problems, requests } = await open();
  await page.getByRole('textbox', { name: 'Follow-up question' }).fill('What is missing?');
  await press(page, 'Add a reason');
  await page.getByRole('textbox', { name: 'Reason 1' }).fill('Price');
  await choose(page, 'Follow-up');
  await widget.locator('form').getByText('What is missing?').waitFor();
  await page.getByRole('textbox', { name: 'Reason 1' }).fill('Its price');
  await widget.getByText('Its price', { exact: true }).waitFor();
  await choose(page, 'Thank-you');
  await page.getByRole('textbox', { name: 'Thank-you message' }).fill('Thanks a lot');
  await widget.getByText('Thanks a lot').first().waitFor();
  await choose(page, 'Question');
  await page.getByLabel('Language of the preview').selectOption('ar');
  await widget.locator('section[dir=rtl]').waitFor();
  await page.getByLabel('Language of the preview').selectOption('en');
  await choose(page, 'Dark');
  await widget.locator('section[style*=dark]').waitFor();
  for (const type of ['CSAT', 'CES', 'Product-market fit', 'Thumbs']) {
    await page.getByRole('radio', { name: new RegExp(`^${type}`) }).check();
    await choose(page, 'Question');
    await widget.getByText(await questionOf(page).inputValue(), { exact: true }).waitFor();
    await choose(page, 'Follow-up');
    await widget.getByText('What is missing?').first().waitFor();
    await choose(page, 'Thank-you');
    await widget.getByText('Thanks a lot').first().waitFor();
  }
  expect(await page.getByRole('button', { name: 'Add a follow-up question' }).count()).toBe(0);
  for (const type of ['Choice', 'Open question']) {
    await page.getByRole('radio', { name: new RegExp(`^${type}`) }).check();
    await choose(page, 'Question');
    await widget.getByText(await questionOf(page).inputValue(), { exact: true }).waitFor();
    if (type === 'Choice') {
      await page.getByRole('textbox', { name: 'Choice 2' }).fill('Alerts');
      await widget.getByRole('radio', { name: 'Alerts' }).waitFor();
      await choose(page, 'Follow-up');
      await widget.getByText('What is missing?').first().waitFor();
    } else await widget.getByRole('textbox').waitFor();
    await choose(page, 'Thank-you');
    await widget.getByText('Thanks a lot').first().waitFor();
  }
  await page.getByRole('radio', { name: /^Thumbs/ }).check();
  await press(page, 'Add a thank-you message');
  await page.getByRole('checkbox', { name: 'Thumbs up' }).check();
  await page.getByRole('textbox', { name: 'Thank-you message 1' }).fill('Good to hear');
  await page.getByLabel('Rating in the preview').selectOption('1');
  await widget.getByText('Good to hear').first().waitFor();
  expect(requests.slice(before)).toEqual([]);
  expect(problems).toEqual([]);
});

it('can be clicked through while the console follows, and shows a banner as in a wide window', async () => {
  const { page, widget, before, requests } = await open();
  const isAt = (step: string) =>
    page.getByRole('radio', { name: step, exact: true, checked: true }).waitFor();
  await page.getByRole('textbox', { name: 'Follow-up question' }).fill('What is missing?');
  // The frame redraws after each change, which would discard a rating chosen before.
  await choose(page, 'Follow-up');
  await widget.locator('form').getByText('What is missing?').waitFor();
  await choose(page, 'Question');
  await widget.getByRole('radio', { name: /^3/ }).check({ force: true });
  await widget.getByRole('button', { name: 'Send' }).click();
  await isAt('Follow-up');
  await widget.getByRole('button', { name: 'Send' }).click();
  await isAt('Thank-you');
  await widget.getByRole('button', { name: 'Close' }).click();
  await isAt('Question');
  await widget.getByRole('radio').first().waitFor();
  expect(requests.slice(before)).toEqual([]);
  await page.getByRole('radio', { name: /^As a banner/ }).check();
  await widget.locator('.banner').waitFor();
  // The width at which sdk/browser/widget/looks.css puts a banner on one line.
  await expect.poll(() => page.frames()[1]?.evaluate("matchMedia('(width > 1200px)').matches")).toBe(true);
});

it('has its own origin, listens only to the console, and escapes texts', async () => {
  const { page, problems } = await open();
  const frame = page.frames()[1];
  expect(await frame?.evaluate('location.origin + self.origin')).toMatch(/null$/);
  const reach = (what: string) =>
    frame?.evaluate(`(() => { try { return String(${what}) } catch { return 'nothing' } })()`);
  expect(await reach('parent.document')).toBe('nothing');
  expect(await reach('sessionStorage.length')).toBe('nothing');
  const survey = '{ type: "nps", question: "Forged?", presentation: "corner", scale: { min: 0, max: 10 } }';
  const show = `{ type: 'show', survey: ${survey}, language: 'en', theme: 'light', step: 'question' }`;
  // Messages from the frame itself, and from the console's own window.
  await frame?.evaluate(`postMessage(${show}, '*')`);
  await page.evaluate("postMessage({ type: 'step', step: 'thanks' }, '*')");
  await questionOf(page).fill('After both?');
  await askedIn(page, 'After both?').waitFor();
  expect(await askedIn(page, 'Forged?').count()).toBe(0);
  expect(await page.getByRole('radio', { name: 'Question', exact: true }).isChecked()).toBe(true);
  const evil = '<img src=x onerror="parent.postMessage(1)"><script>alert(1)</script>';
  await questionOf(page).fill(evil);
  await askedIn(page, evil).waitFor();
  expect(problems).toEqual([]);
  expect(await frame?.evaluate("fetch('/v1/surveys').then(() => 'sent', () => 'refused')")).toBe('refused');
});

it('shows incomplete surveys, and a message when a later release has deleted its file', async () => {
  const { page, problems } = await open();
  await questionOf(page).fill('');
  await press(page, 'Add a reason');
  await choose(page, 'Follow-up');
  await questionOf(page).fill('Whole again?');
  await choose(page, 'Question');
  await askedIn(page, 'Whole again?').waitFor();
  expect(problems).toEqual([]);
  await page.route('**/console/assets/preview-*', (route) => route.fulfill({ status: 404 }));
  await goTo(page, '#/help', 'Help');
  await goTo(page, '#/new', 'New survey');
  await page.getByRole('alert').filter({ hasText: 'The preview cannot load' }).waitFor();
  expect(await questionOf(page).inputValue()).toBe('Whole again?');
});
