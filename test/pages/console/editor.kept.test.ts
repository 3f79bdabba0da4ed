/** Unsaved changes survive an expired sign-in, a closed tab, and changes by other people. */

import { expect, it } from 'vitest';
import { newSurvey } from '../../../pages/console/rules/edited-survey.ts';
import { problemsOf } from '../../sdk/browser/support/use-chromium.ts';
import { createAdminCli } from '../../support/admin-cli.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import {
  confirm,
  DEFINITIONS,
  expireSettings,
  focused,
  goTo,
  personKey,
  press,
  questionOf,
  useEditor,
} from './support/open-console.ts';

const TYPED = 'Typed for an hour?';
const KEPT = 'They stay in this tab until you close it';

const editor = await useEditor();

async function open() {
  const surveys = [aSurvey({ status: 'active' }, { slug: 'nps', question: 'First?' })];
  const opened = await editor.open('#/survey/nps/edit', surveys);
  const read = async () => {
    const [nps] = (await opened.stored()).surveys;
    if (nps === undefined) throw new Error('The survey is gone.');
    return nps;
  };
  const nps = await read();
  await questionOf(opened.page).fill(TYPED);
  return { ...opened, read, nps };
}

it('lets the person sign in again and publish after the key was revoked', async () => {
  const { page, keyId, projectId } = await open();
  const { service } = editor;
  await createAdminCli(service).json('key', 'revoke', keyId, '--project', projectId);
  expireSettings(service);
  await page.evaluate('scrollTo({ top: document.body.scrollHeight, behavior: "instant" })');
  await expect.poll(() => page.evaluate('scrollY > 500')).toBe(true);
  await press(page, 'Publish changes');
  const banner = page.getByRole('alert').filter({ hasText: 'Your key does not work' });
  // The banner scrolls into view from the end of the form.
  await expect.poll(async () => ((await banner.boundingBox())?.y ?? -1) > 0).toBe(true);
  const { key } = await personKey(service, projectId, 'editor');
  await banner.getByLabel('Your key').fill(key);
  await banner.getByRole('button', { name: 'Open' }).click();
  await banner.waitFor({ state: 'hidden' });
  expect(await questionOf(page).inputValue()).toBe(TYPED);
  await confirm(page, 'Publish changes');
  await page.getByText('Your changes are published.').waitFor();
});

it('offers unsaved changes after a reload and in a reopened tab until they are discarded', async () => {
  const { page } = await open();
  await page.reload();
  await page.getByText(KEPT).waitFor();
  expect(await questionOf(page).inputValue()).toBe(TYPED);
  // Nothing is kept where other tabs could read it.
  expect(await page.evaluate('localStorage.length')).toBe(0);
  const kept = await page.evaluate('JSON.stringify(sessionStorage)');
  const [address, context] = [page.url(), page.context()];
  await page.close();
  // Browsers restore the session storage of a closed tab.
  const again = await context.newPage();
  await again.goto(`${editor.gateway.url}/openapi.json`);
  await again.evaluate(`Object.assign(sessionStorage, ${kept})`);
  await again.goto(address);
  await again.getByText(KEPT).waitFor();
  expect(await questionOf(again).inputValue()).toBe(TYPED);
  await press(again, 'Discard changes');
  // The pressed button is gone.
  await expect.poll(() => focused(again)).toBe('Your changes were discarded.');
  expect(await questionOf(again).inputValue()).toBe('First?');
  await again.goto('about:blank');
  await again.goto(address);
  await questionOf(again).waitFor();
  expect(await again.getByText(KEPT).count()).toBe(0);
});

it('marks unsaved changes in the list of surveys, and asks before signing out deletes them', async () => {
  const { page, projectId } = await open();
  await goTo(page, '#/new', 'New survey Draft');
  await questionOf(page).fill('Begun?');
  await goTo(page, '#/', 'Surveys');
  await page.getByRole('listitem').filter({ hasText: 'unsaved changes' }).waitFor();
  await page.getByRole('link', { name: 'Continue editing' }).click();
  await page.getByRole('heading', { name: 'New survey Draft' }).waitFor();
  expect(await questionOf(page).inputValue()).toBe('Begun?');
  await press(page, 'Sign out');
  await press(page, 'Stay signed in');
  expect(await questionOf(page).inputValue()).toBe('Begun?');
  await press(page, 'Sign out');
  await press(page, 'Sign out and lose them');
  await page.getByLabel('Your key').waitFor();
  expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain(projectId);
});

it('shows what another person changed, and publishes what the person chose', async () => {
  const { page, change, read, nps, keyId } = await open();
  await page.getByLabel('Percentage of people asked').fill('10');
  await change([{ ...nps, question: 'Theirs?', followUpQuestion: 'Why?' }]);
  await press(page, 'Publish changes');
  const dialog = page.getByRole('dialog');
  await dialog.getByText(`changed by key ${keyId} after you started editing it`).waitFor();
  const goOn = dialog.getByRole('button', { name: 'Continue' });
  // A field that both people changed has no default.
  expect(await goOn.isDisabled()).toBe(true);
  const followUp = dialog.getByRole('group', { name: 'Follow-up question' });
  expect(await followUp.getByRole('radio', { name: /^Their version/ }).isChecked()).toBe(true);
  const question = dialog.getByRole('group', { name: 'Question', exact: true });
  await question.getByText('Before both changes: “First?”').waitFor();
  await question.getByRole('radio', { name: /^Your version/ }).check();
  await goOn.click();
  await page.getByRole('dialog', { name: 'Publish changes to nps' }).waitFor();
  expect(await dialog.locator('del').allTextContents()).toContain('“Theirs?”');
  let answer = () => undefined;
  const isAnswered = new Promise<void>((resolve) => {
    answer = () => void resolve();
  });
  await page.route(DEFINITIONS, async (route) => {
    await isAnswered;
    await route.continue();
  });
  await dialog.getByRole('button', { name: 'Publish changes' }).click();
  // Nothing can be typed or pressed until the service answers.
  await dialog.getByRole('button', { name: 'Saving…', disabled: true }).waitFor();
  expect(await dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  const form = page.locator('.editor .form');
  expect(await form.getAttribute('inert')).not.toBeNull();
  expect(await dialog.isVisible()).toBe(true);
  answer();
  await page.getByText('Your changes are published.').waitFor();
  expect(await form.getAttribute('inert')).toBeNull();
  expect(await read()).toEqual({ ...nps, question: TYPED, followUpQuestion: 'Why?', samplePercent: 10 });
});

it('keeps an unsaved order, and saves it over another person’s order only by choice', async () => {
  const { page, keyId, change, stored, problems } = await editor.open('#/new');
  const survey = (slug: string) => ({ ...newSurvey('nps', []), slug });
  await change([
    survey('first'),
    { ...survey('gone'), status: 'archived' },
    survey('second'),
    survey('third'),
  ]);
  await goTo(page, '#/order', 'Survey order');
  await press(page, 'Move third up');
  await page.getByText('third is now number 2.').waitFor();
  await press(page, 'Move third up');
  await page.getByText('third is now number 1.').waitFor();
  expect(await problemsOf(page)).toEqual([]);
  await page.reload();
  await page.getByText(KEPT).waitFor();
  await change([], ['second', 'first', 'gone', 'third']);
  const save = page.getByRole('button', { name: 'Save order' });
  await save.click();
  await page.getByRole('alert').filter({ hasText: 'Review the order' }).waitFor();
  const both = page.getByRole('group', { name: `The order was changed by key ${keyId}` });
  await both.getByText('Their order: second, first, third.').waitFor();
  expect(await save.isDisabled()).toBe(true);
  await press(page, 'Keep my order');
  // The pressed button is gone.
  await expect.poll(() => focused(page)).toBe('You kept your order. Save it to apply it.');
  await save.click();
  await page.getByText('The order is saved.').waitFor();
  expect((await stored()).surveys.map(({ slug }) => slug)).toEqual(['third', 'first', 'gone', 'second']);
  expect(
    await page.evaluate("Object.keys(sessionStorage).filter((name) => name.includes('typed/'))"),
  ).toEqual([]);
  expect(problems).toEqual([]);
});
