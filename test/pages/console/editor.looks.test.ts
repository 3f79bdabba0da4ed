import type { Locator, Page, Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { APPEARANCES, problemsOf, smallFields } from '../../sdk/browser/support/use-chromium.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { choose, DEFINITIONS, focused, press, questionOf, useEditor } from './support/open-console.ts';

const { open } = await useEditor();
const EDIT = '#/survey/nps/edit';
const ITEMS = ['reason', 'question', 'follow-up question', 'thank-you message', 'condition', 'page'];
const anNps = () => aSurvey({ status: 'active' }, { slug: 'nps' });

it.each(APPEARANCES)(
  'at %s, has no accessibility problems and cuts nothing, in every state',
  async (name, options) => {
    const { page, change, stored, problems } = await open(EDIT, [anNps()], options);
    for (const item of ITEMS) await press(page, `Add a ${item}`);
    await page.getByRole('radio', { name: /^After an event/ }).check();
    await page.getByRole('radio', { name: /^Again after some time/ }).check();
    await page.getByText('Buttons, priority, and badge').click();
    await page.getByText('Labels for each rating').click();
    await page.getByRole('textbox', { name: 'Label for rating 1', exact: true }).fill('Hardly');
    await press(page, 'Add a breakdown');
    await page.getByLabel('Add a language').selectOption('ar');
    await press(page, 'Publish changes');
    await page.getByRole('alert').filter({ hasText: 'before you continue' }).waitFor();
    expect(await problemsOf(page)).toEqual([]);
    if (name === '320 px') {
      await choose(page, 'Preview');
      expect(await problemsOf(page)).toEqual([]);
      await choose(page, 'Form');
    }
    await page.getByText('More', { exact: true }).click();
    await press(page, 'Discard changes');
    await page.getByText('Your changes were discarded.').waitFor();
    await questionOf(page).fill('Mine?');
    const [nps] = (await stored()).surveys;
    if (nps !== undefined) await change([{ ...nps, question: 'Theirs?' }]);
    await press(page, 'Publish changes');
    await page.getByRole('dialog').getByText('after you started editing it').waitFor();
    expect(await problemsOf(page)).toEqual([]);
    expect(problems).toEqual([]);
  },
);

it('has fields of at least 16 px at 375 px, in the editor and in the file', async () => {
  const { page } = await open(EDIT, [anNps()], { viewport: { width: 375, height: 812 } });
  for (const item of ITEMS) await press(page, `Add a ${item}`);
  await page.getByRole('radio', { name: /^After an event/ }).check();
  await page.getByRole('radio', { name: /^Again after some time/ }).check();
  await page.getByText('Labels for each rating').click();
  await press(page, 'Add a breakdown');
  await page.getByLabel('Add a language').selectOption('ar');
  expect(await page.locator('input, select, textarea').count()).toBeGreaterThan(30);
  expect(await smallFields(page)).toEqual([]);
  await page.evaluate("location.hash = '#/yaml'");
  await page.locator('textarea[readonly]').waitFor();
  expect(await smallFields(page)).toEqual([]);
});

it('can be used with the keyboard alone', async () => {
  const { page, stored } = await open(EDIT, [anNps()]);
  await questionOf(page).focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('By keyboard?');
  const publish = page.getByRole('button', { name: 'Publish changes', disabled: false });
  await publish.waitFor();
  await publish.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(() => focused(page)).toBe('Publish changes');
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  await page.keyboard.press('Tab');
  while ((await focused(page)) !== 'Publish changes') await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('Your changes are published.');
  expect((await stored()).surveys).toMatchObject([{ question: 'By keyboard?' }]);
});

/** Whether all four corners are inside the window and uncovered. */
const isSeen = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    const corners = [left + 6, right - 6].flatMap((x) => [top + 6, bottom - 6].map((y) => [x, y] as const));
    return corners.every(([x, y]) => node.contains(node.ownerDocument.elementFromPoint(x, y)));
  });

/** Text of the focused element, if nothing covers its start. */
const seenWithFocus = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const node = document.activeElement;
    const { left, top, bottom } = node.getBoundingClientRect();
    const isSeen = [top + 2, bottom - 2].every((y) => node.contains(document.elementFromPoint(left + 10, y)));
    return isSeen ? node.textContent : '';
  })()`);

async function publishFromTheEnd(page: Page): Promise<void> {
  await page.evaluate('scrollTo({ top: document.body.scrollHeight, behavior: "instant" })');
  await expect.poll(() => page.evaluate('scrollY > 500')).toBe(true);
  await press(page, 'Publish changes');
}

const answer = (page: Page, status: number, error: object) =>
  page.route(DEFINITIONS, (route: Route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status, json: { error } }) : route.continue(),
  );

it.each([
  ['1,280 px', { width: 1_280, height: 720 }],
  ['375 px', { width: 375, height: 660 }],
])('at %s, keeps the actions and every refusal in view', async (_, viewport) => {
  const { page } = await open(EDIT, [anNps()], { viewport });
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
  await answer(page, 503, { code: 'unavailable', message: 'Busy.' });
  for (let times = 0; times < 2; times++) {
    await publishFromTheEnd(page);
    await expect
      .poll(() => seenWithFocus(page))
      .toContain('Your changes stay in this tab until you close it.');
  }
  await page.unroute(DEFINITIONS);
  const issues = [{ path: 'surveys[0].question', message: 'is not allowed' }];
  await answer(page, 400, { code: 'invalid_request', message: 'No.', issues });
  await publishFromTheEnd(page);
  await expect.poll(() => seenWithFocus(page)).toContain('is not allowed');
});

it('shows progress, warnings, and errors of the review without scrolling', async () => {
  const { page } = await open(EDIT, [anNps()], { viewport: { width: 800, height: 520 } });
  await questionOf(page).fill('Mine?');
  await page.getByRole('textbox', { name: 'Follow-up question' }).fill('Why?');
  await page.getByLabel('Percentage of people asked').fill('10');
  await page.getByRole('radio', { name: /^Again after some time/ }).check();
  await page.getByRole('radio', { name: /^As a banner/ }).check();
  await page.getByRole('textbox', { name: 'Thank-you message' }).fill('Thanks a lot');
  let goOn = () => undefined;
  const isAsked = new Promise<void>((resolve) => {
    goOn = () => void resolve();
  });
  await page.route(DEFINITIONS, async (route) => {
    await isAsked;
    await route.continue();
  });
  await press(page, 'Publish changes');
  const checking = page.getByRole('button', { name: 'Checking…', exact: true });
  await checking.waitFor();
  expect(await checking.getAttribute('aria-busy')).toBe('true');
  await page.locator('.form[aria-busy=true]').waitFor({ state: 'attached' });
  goOn();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('count toward the same score').waitFor();
  expect(await page.locator('.form').getAttribute('aria-busy')).toBe('false');
  expect(await isSeen(dialog.getByRole('list', { name: 'Warnings' }))).toBe(true);
  await page.unroute(DEFINITIONS);
  await page.route(DEFINITIONS, (route) => route.abort());
  await dialog.getByRole('button', { name: 'Publish changes' }).click();
  const wrong = dialog.getByRole('alert');
  await wrong.waitFor();
  expect(await isSeen(wrong)).toBe(true);
  expect(await isSeen(dialog.getByRole('button', { name: 'Publish changes' }))).toBe(true);
});

it('moves the focus to what was added or done, and closes the menu when the focus leaves it', async () => {
  const { page } = await open('#/new', [], { viewport: { width: 1_280, height: 800 } });
  const focusedId = () => page.evaluate('document.activeElement.id');
  for (const [item, field] of [
    ['reason', 'field-reasons-0-label'],
    ['follow-up question', 'field-followUps-0-ratings'],
    ['thank-you message', 'field-thanks-0-ratings'],
    ['condition', 'field-targeting-0-trait'],
    ['page', 'field-pages-0-'],
    ['breakdown', 'field-segments-name'],
  ] as const) {
    await press(page, `Add a ${item}`);
    await expect.poll(focusedId).toBe(field);
    await press(page, `Remove ${item} 1`);
    await expect.poll(() => focused(page)).toBe(`Add a ${item}`);
  }
  await page.getByLabel('Add a language').selectOption('de');
  await expect.poll(focusedId).toBe('field-locales-de-question');
  await press(page, 'Remove German');
  await expect.poll(focusedId).toBe('add-language');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('made');
  await press(page, 'Save draft');
  await page.getByRole('dialog').getByRole('button', { name: 'Save draft' }).click();
  await page.getByRole('heading', { name: 'Edit made Draft' }).waitFor();
  await expect.poll(() => focused(page)).toBe('The draft is saved.');
  const archive = page.getByRole('button', { name: 'Archive' });
  for (const leave of [() => page.keyboard.press('Escape'), () => questionOf(page).click()]) {
    await page.getByText('More', { exact: true }).click();
    await archive.waitFor();
    await leave();
    await archive.waitFor({ state: 'hidden' });
  }
});
