/** What is typed is not lost: not with the sign-in, not with the connection, not with the tab. */

import { expect, it } from 'vitest';
import { createAdminCli } from '../../support/admin-cli.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { confirm, questionOf, useEditor } from './support/editor-page.ts';
import { personKey } from './support/open-console.ts';

const TYPED = 'Typed for an hour?';

const editor = useEditor();

async function open() {
  const opened = await editor.open('#/survey/nps/edit', aSurvey({}, { slug: 'nps' }));
  await questionOf(opened.page).fill(TYPED);
  return { ...opened, ...editor.begun(), projectId: opened.tenant.project.id };
}

it('a sign-in that ends while somebody types: they come in again, and publish what they typed', async () => {
  const { page, service, keyId, projectId } = await open();
  await createAdminCli(service).json('key', 'revoke', keyId, '--project', projectId);
  service.clock.advance(31_000);
  await page.evaluate('scrollTo({ top: document.body.scrollHeight, behavior: "instant" })');
  await expect.poll(() => page.evaluate('scrollY > 500')).toBe(true);
  await page.getByRole('button', { name: 'Publish changes' }).click();
  const banner = page.getByRole('alert').filter({ hasText: 'Your key does not work' });
  // Wherever in the form they were, it comes into view.
  await expect.poll(async () => ((await banner.boundingBox())?.y ?? -1) > 0).toBe(true);
  const { key } = await personKey(service, projectId, 'editor');
  await banner.getByLabel('Your key').fill(key);
  await banner.getByRole('button', { name: 'Open' }).click();
  await banner.waitFor({ state: 'hidden' });
  expect(await questionOf(page).inputValue()).toBe(TYPED);
  await confirm(page, 'Publish changes');
  await page.getByText('Your changes are published.').waitFor();
});

it('a connection that breaks between the question and the confirmation: the same again, stored once', async () => {
  const { page, stored } = await open();
  await page.getByRole('button', { name: 'Publish changes' }).click();
  const publish = page.getByRole('dialog').getByRole('button', { name: 'Publish changes' });
  await publish.waitFor();
  const { revision } = await stored();
  // It is stored, and the reply is lost.
  await page.route('**/v1/surveys/definitions', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await publish.click();
  await page.getByRole('dialog').getByText('Your changes are kept in this tab.').waitFor();
  await page.unroute('**/v1/surveys/definitions');
  await publish.click();
  await page.getByText('Your changes are published.').waitFor();
  expect((await stored()).revision).toBe(revision + 1);
});

it('a tab that is closed and opened again, and one that is loaded anew: it is offered, and can be discarded', async () => {
  const { page, url } = await open();
  await page.reload();
  await page.getByText('It was kept in this tab.').waitFor();
  expect(await questionOf(page).inputValue()).toBe(TYPED);
  // As browsers do with a tab that was closed.
  const kept = await page.evaluate('JSON.stringify(sessionStorage)');
  const [address, context] = [page.url(), page.context()];
  await page.close();
  const again = await context.newPage();
  await again.goto(`${url}/openapi.json`);
  await again.evaluate(`Object.assign(sessionStorage, ${kept})`);
  await again.goto(address);
  await again.getByText('It was kept in this tab.').waitFor();
  expect(await questionOf(again).inputValue()).toBe(TYPED);
  await again.getByRole('button', { name: 'Discard it' }).click();
  await again.getByText('Your changes were discarded.').waitFor();
  // The button is gone, and the focus is where it is said what was done.
  await expect
    .poll(() => again.evaluate('document.activeElement.textContent'))
    .toBe('Your changes were discarded.');
  expect(await questionOf(again).inputValue()).not.toBe(TYPED);
  await again.goto('about:blank');
  await again.goto(address);
  await questionOf(again).waitFor();
  expect(await again.getByText('It was kept in this tab.').count()).toBe(0);
});

it('the list of surveys says what is typed and not published, and leads back to it', async () => {
  const { page } = await open();
  await page.evaluate("location.hash = '#/new'");
  await page.getByRole('heading', { name: 'New survey Draft' }).waitFor();
  await questionOf(page).fill('Begun?');
  await page.evaluate("location.hash = '#/'");
  await page.getByRole('listitem').filter({ hasText: 'unpublished changes' }).waitFor();
  await page.getByRole('link', { name: 'Continue editing' }).click();
  await page.getByRole('heading', { name: 'New survey Draft' }).waitFor();
  expect(await questionOf(page).inputValue()).toBe('Begun?');
});

it('in another tab it is not seen', async () => {
  const { page, key } = await open();
  const other = await page.context().newPage();
  await other.goto(`${page.url().split('#')[0]}#key=${key}`);
  await other.getByRole('heading', { name: 'Surveys', exact: true }).waitFor();
  await other.evaluate("location.hash = '#/survey/nps/edit'");
  await questionOf(other).waitFor();
  expect(await questionOf(other).inputValue()).not.toBe(TYPED);
});

it('whoever forgets the key is asked first, and then nothing of the project stays in the tab', async () => {
  const { page, projectId } = await open();
  const forget = page.getByRole('button', { name: 'Sign out' });
  await forget.click();
  await page.getByRole('button', { name: 'Stay', exact: true }).click();
  expect(await questionOf(page).inputValue()).toBe(TYPED);
  await forget.click();
  await page.getByRole('button', { name: 'Sign out and lose them' }).click();
  await page.getByLabel('Your key').waitFor();
  expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain(projectId);
});
