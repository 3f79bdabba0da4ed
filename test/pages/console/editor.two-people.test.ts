/** Two people change one survey at once. */

import { expect, it } from 'vitest';
import { erase } from '../../../functions/erase.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { confirm, questionOf, useEditor } from './support/editor-page.ts';

const editor = useEditor();

async function open() {
  const opened = await editor.open(
    '#/survey/nps/edit',
    aSurvey({ status: 'active' }, { slug: 'nps', question: 'First?' }),
    aSurvey({ status: 'active' }, { slug: 'other' }),
  );
  const read = async (slug: string) => {
    const survey = (await opened.stored()).surveys.find((each) => each.slug === slug);
    if (survey === undefined) throw new Error(`no ${slug}`);
    return survey;
  };
  return { ...opened, read, nps: await read('nps'), other: await read('other') };
}

it('another survey that was changed meanwhile stands in nobody’s way', async () => {
  const { page, change, read, other } = await open();
  await questionOf(page).fill('Mine?');
  await change({ ...other, question: 'Theirs?' });
  await page.getByRole('button', { name: 'Publish changes' }).click();
  // And once more, between the question and the confirmation.
  const publish = page.getByRole('dialog').getByRole('button', { name: 'Publish changes' });
  await publish.waitFor();
  await change({ ...other, question: 'Theirs again?' });
  await publish.click();
  await page.getByText('Your changes are published.').waitFor();
  expect([(await read('nps')).question, (await read('other')).question]).toEqual(['Mine?', 'Theirs again?']);
});

it('the second sees what the first changed, decides, sees what that does, and publishes', async () => {
  const { page, change, read, nps, keyId } = await open();
  await questionOf(page).fill('Mine?');
  await page.getByLabel('Percentage of people asked').fill('10');
  await change({ ...nps, question: 'Theirs?', followUpQuestion: 'Why?' });
  await page.getByRole('button', { name: 'Publish changes' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(`${keyId} changed it since you started editing`).waitFor();
  const goOn = dialog.getByRole('button', { name: 'Continue' });
  // What both changed has no answer yet; what the first alone changed is kept.
  expect(await goOn.isDisabled()).toBe(true);
  const followUp = dialog.getByRole('group', { name: 'Follow-up question' });
  expect(await followUp.getByRole('radio', { name: /^Theirs/ }).isChecked()).toBe(true);
  const question = dialog.getByRole('group', { name: 'Question', exact: true });
  await question.getByText('Before: “First?”').waitFor();
  await question.getByRole('radio', { name: /^Yours/ }).check();
  await goOn.click();
  await page.getByRole('dialog', { name: 'Publish changes: nps' }).waitFor();
  expect(await dialog.locator('del').allTextContents()).toContain('“Theirs?”');
  await dialog.getByRole('button', { name: 'Publish changes' }).click();
  await page.getByText('Your changes are published.').waitFor();
  expect(await read('nps')).toEqual({
    ...nps,
    question: 'Mine?',
    followUpQuestion: 'Why?',
    samplePercent: 10,
  });
});

it('what is decided of the status holds: nobody is asked again by mistake', async () => {
  const { page, change, read, nps } = await open();
  await questionOf(page).fill('Mine?');
  await change({ ...nps, status: 'paused' });
  await page.getByRole('button', { name: 'Publish changes' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('group', { name: 'Status' }).waitFor();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Your changes are saved.').waitFor();
  expect(await read('nps')).toEqual({ ...nps, question: 'Mine?', status: 'paused' });
});

it('left undecided, nothing is lost on either side', async () => {
  const { page, change, read, nps } = await open();
  await questionOf(page).fill('Mine?');
  await change({ ...nps, question: 'Theirs?' });
  await page.getByRole('button', { name: 'Publish changes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(await questionOf(page).inputValue()).toBe('Mine?');
  expect(await read('nps')).toMatchObject({ question: 'Theirs?' });
});

it('while it is stored nothing else is typed or pressed; one that was erased meanwhile is made anew if they say so', async () => {
  const { page, read, tenant } = await open();
  const form = page.locator('.editor .form');
  await questionOf(page).fill('Mine?');
  await page.getByRole('button', { name: 'Publish changes' }).click();
  const dialog = page.getByRole('dialog');
  let answer = () => undefined;
  const isAnswered = new Promise<void>((resolve) => {
    answer = () => void resolve();
  });
  await page.route('**/v1/surveys/definitions', async (route) => {
    await isAnswered;
    await route.continue();
  });
  await dialog.getByRole('button', { name: 'Publish changes' }).click();
  await dialog.getByRole('button', { name: 'Saving', disabled: true }).waitFor();
  expect(await dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  expect(await form.getAttribute('inert')).not.toBeNull();
  expect(await dialog.isVisible()).toBe(true);
  answer();
  await page.getByText('Your changes are published.').waitFor();
  expect([await form.getAttribute('inert'), (await read('nps')).question]).toEqual([null, 'Mine?']);
  await page.unroute('**/v1/surveys/definitions');

  await questionOf(page).fill('Mine again?');
  const { secretKey } = tenant;
  const erased = await editor.begun().service.call(erase, { secretKey, query: { surveySlug: 'nps' } });
  expect(erased.status).toBe(200);
  await page.getByRole('button', { name: 'Publish changes' }).click();
  await page.getByText('Someone removed this survey.').waitFor();
  await expect(read('nps')).rejects.toThrow('no nps');
  expect(await questionOf(page).inputValue()).toBe('Mine again?');
  await confirm(page, 'Publish');
  await page.getByText('Published.', { exact: true }).waitFor();
  expect(await read('nps')).toMatchObject({ question: 'Mine again?', status: 'active' });
});
