/** The order in which surveys are asked. */

import { expect, it } from 'vitest';
import { newSurvey } from '../../../pages/console/rules/edited-survey.ts';
import { problemsOf } from '../../sdk/browser/support/use-chromium.ts';
import { useEditor } from './support/editor-page.ts';

const editor = useEditor();

it('is changed by buttons, stored as it was shown, and a survey that came meanwhile is not lost', async () => {
  const { page, change, stored, problems } = await editor.open('#/new');
  const survey = (slug: string) => ({ ...newSurvey('nps', []), slug });
  await change(survey('first'), survey('second'), { ...survey('gone'), status: 'archived' }, survey('third'));
  await page.evaluate("location.hash = '#/order'");
  await page.getByRole('button', { name: 'third: move up' }).click();
  await page.getByText('third is now number 2.').waitFor();
  await page.getByRole('button', { name: 'third: move up' }).click();
  await page.getByText('third is now number 1.').waitFor();
  expect(await problemsOf(page)).toEqual([]);
  await change(survey('late'));
  await page.getByRole('button', { name: 'Save order' }).click();
  await page.getByRole('alert').filter({ hasText: 'Review the order' }).waitFor();
  await page.getByRole('button', { name: 'late: move up' }).waitFor();
  await page.getByRole('button', { name: 'Save order' }).click();
  await page.getByText('The order is saved.').waitFor();
  const { surveys } = await stored();
  expect(surveys.map(({ slug }) => slug)).toEqual(['third', 'first', 'second', 'gone', 'late']);
  expect(problems).toEqual([]);
});

it('is kept in the tab, and not stored over what somebody else has moved before one has decided', async () => {
  const { page, key, keyId, change, stored } = await editor.open('#/new');
  const survey = (slug: string) => ({ ...newSurvey('nps', []), slug });
  await change(survey('first'), survey('second'), survey('third'));
  await page.evaluate("location.hash = '#/order'");
  await page.getByRole('button', { name: 'second: move up' }).click();
  await page.getByText('second is now number 1.').waitFor();
  await page.reload();
  await page.getByText('It was kept in this tab.').waitFor();
  const { revision } = await stored();
  await fetch(`${editor.begun().url}/v1/surveys/definitions`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ revision, surveys: [], order: ['third', 'first', 'second'] }),
  });
  const store = page.getByRole('button', { name: 'Save order' });
  await store.click();
  const both = page.getByRole('group', { name: `${keyId} changed the order` });
  await both.getByText('Theirs: third, first, second.').waitFor();
  expect(await store.isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Keep mine' }).click();
  // The button is gone, and the focus is where it is said what was done.
  await expect
    .poll(() => page.evaluate('document.activeElement.textContent'))
    .toBe('Your order was kept. It is not saved yet.');
  await store.click();
  await page.getByText('The order is saved.').waitFor();
  expect((await stored()).surveys.map(({ slug }) => slug)).toEqual(['second', 'first', 'third']);
  expect(
    await page.evaluate("Object.keys(sessionStorage).filter((name) => name.includes('typed/'))"),
  ).toEqual([]);
});
