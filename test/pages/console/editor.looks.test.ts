/** How the editor looks, in each state: read aloud, by keyboard, small, dark, in forced colors. */

import { expect, it } from 'vitest';
import { APPEARANCES, problemsOf, useChromium } from '../../sdk/browser/support/use-chromium.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { useServedService } from '../../support/service/served-service.ts';
import { openEditor, questionOf } from './support/editor-page.ts';

const browser = useChromium();
const { service, gateway } = await useServedService();

it.each(APPEARANCES)('%s: nothing is amiss or cut, whatever is shown', async (name, options) => {
  const { project } = await service.tenant({}, [aSurvey({ status: 'active' }, { slug: 'nps' })]);
  const at = { service, url: gateway.url, projectId: project.id };
  const { page, change, stored, problems } = await openEditor(browser, at, '#/survey/nps/edit', options);
  await page.getByRole('button', { name: 'Add a reason' }).click();
  await page.getByRole('button', { name: 'Add a condition' }).click();
  await page.getByRole('button', { name: 'Add a page' }).click();
  await page.getByRole('radio', { name: /^After an event/ }).check();
  await page.getByRole('radio', { name: /^Again after some time/ }).check();
  await page.getByText('Buttons, priority, and badge').click();
  await page.getByText('Label for each answer').click();
  await page.getByRole('textbox', { name: 'Answer 2 of 11' }).fill('Hardly');
  await page.getByRole('button', { name: 'Add a breakdown' }).click();
  await page.getByLabel('Add a language').selectOption('ar');
  await page.getByRole('button', { name: 'Publish changes' }).click();
  await page.getByRole('alert').filter({ hasText: 'to fix' }).waitFor();
  expect(await problemsOf(page)).toEqual([]);
  const narrow = page.getByRole('radio', { name: 'Preview', exact: true });
  if (name === '320 px') {
    await narrow.check();
    expect(await problemsOf(page)).toEqual([]);
    await page.getByRole('radio', { name: 'Form', exact: true }).check();
  }
  await page.getByText('More', { exact: true }).click();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByText('Your changes were discarded.').waitFor();
  await questionOf(page).fill('Mine?');
  await page.getByRole('button', { name: 'Publish changes' }).click();
  await page.getByRole('dialog').getByText('are added up').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  const [nps] = (await stored()).surveys;
  if (nps !== undefined) await change({ ...nps, question: 'Theirs?' });
  await page.getByRole('button', { name: 'Publish changes' }).click();
  await page.getByRole('dialog').getByText('changed it since you started editing').waitFor();
  expect(await problemsOf(page)).toEqual([]);
  expect(problems).toEqual([]);
});

it('all of it is done by keyboard', async () => {
  const { project } = await service.tenant({}, [aSurvey({ status: 'active' }, { slug: 'nps' })]);
  const at = { service, url: gateway.url, projectId: project.id };
  const { page, stored } = await openEditor(browser, at, '#/survey/nps/edit');
  await questionOf(page).focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('By keyboard?');
  // A button that is disabled takes no focus.
  const publish = page.getByRole('button', { name: 'Publish changes', disabled: false });
  await publish.waitFor();
  await publish.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Publish changes');
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  await page.keyboard.press('Tab');
  while ((await page.evaluate('document.activeElement.textContent')) !== 'Publish changes')
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Your changes are published.').waitFor();
  await expect
    .poll(() => page.evaluate('document.activeElement.textContent'))
    .toBe('Your changes are published.');
  expect((await stored()).surveys).toMatchObject([{ question: 'By keyboard?' }]);
});
