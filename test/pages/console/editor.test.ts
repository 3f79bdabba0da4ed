/** Surveys made and changed in a form. */

import { expect, it } from 'vitest';
import { useChromium } from '../../sdk/browser/support/use-chromium.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { useServedService } from '../../support/service/served-service.ts';
import type { Tenant, TestService } from '../../support/service/test-service.ts';
import { askedIn, confirm, openEditor, questionOf } from './support/editor-page.ts';

const browser = useChromium();
const { service, gateway } = await useServedService();
let tenant: Tenant;

const open = async (hash: string, ...surveys: Parameters<TestService['tenant']>[1] & object) => {
  tenant = await service.tenant({}, surveys);
  return openEditor(browser, { service, url: gateway.url, projectId: tenant.project.id }, hash);
};

it('a survey is made, seen as it is typed, published as it was shown, paused and archived', async () => {
  const { page, problems, stored } = await open('#/new');
  await questionOf(page).fill('Would you recommend <i>us</i>?');
  await askedIn(page, 'Would you recommend <i>us</i>?').waitFor();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('pro-nps');
  await page.getByRole('textbox', { name: 'Follow-up question' }).fill('Why?');
  await page.getByRole('button', { name: 'Add a reason' }).click();
  await page.getByRole('textbox', { name: 'Reason 1' }).fill('Too expensive');
  await page.getByRole('button', { name: 'Add a condition' }).click();
  await page.getByLabel('Trait 1', { exact: true }).fill('plan');
  await page.getByLabel('Value of trait 1').fill('pro');
  await page.getByLabel('Percentage of people asked').fill('10');
  await page.getByRole('radio', { name: /^Again after some time/ }).check();
  await page.getByLabel('Add a language').selectOption('de');
  await page.getByLabel('Question, German', { exact: true }).fill('Empfehlen Sie uns?');
  await page.getByRole('button', { name: 'Add a breakdown' }).click();
  await page.getByRole('textbox', { name: 'Name 1' }).fill('seat');
  await page.getByRole('textbox', { name: 'Values 1, separated by commas' }).fill('owner, guest');
  await page.getByText('People with plan = pro, one in ten, again after 90 days at the earliest.').waitFor();
  expect((await stored()).surveys).toEqual([]);
  await confirm(page, 'Publish');
  await page.getByRole('heading', { name: 'Edit pro-nps Active' }).waitFor();
  const survey = {
    slug: 'pro-nps',
    type: 'nps',
    status: 'active',
    question: 'Would you recommend <i>us</i>?',
    followUpQuestion: 'Why?',
    reasons: [{ code: 'too-expensive', label: 'Too expensive' }],
    targeting: [{ trait: 'plan', op: 'eq', value: 'pro' }],
    samplePercent: 10,
    repeat: '90d',
    presentation: 'corner',
    trigger: 'auto',
    locales: { de: { question: 'Empfehlen Sie uns?' } },
    segments: { seat: ['owner', 'guest'] },
  };
  expect((await stored()).surveys).toEqual([survey]);
  await confirm(page, 'Pause');
  await page.getByText('Paused.', { exact: true }).waitFor();
  await confirm(page, 'Publish');
  await page.getByText('Published.', { exact: true }).waitFor();
  await page.getByText('More', { exact: true }).click();
  await confirm(page, 'Archive');
  await page.getByText('Archived.', { exact: true }).waitFor();
  expect((await stored()).surveys).toEqual([{ ...survey, status: 'archived' }]);
  expect(problems).toEqual([]);
});

it('what is not right is said at its field, and nothing is asked of the service before it is', async () => {
  const { page, requests } = await open('#/new', aSurvey({}, { slug: 'nps' }));
  await questionOf(page).fill('');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('nps');
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('alert').filter({ hasText: '2 problems to fix' }).waitFor();
  expect(await questionOf(page).getAttribute('aria-invalid')).toBe('true');
  await page.getByText('Another survey has this name.').waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('field-question');
  expect(requests.filter((path) => path === '/v1/surveys/definitions')).toEqual([]);
});

it('a change of what is asked says what becomes of the answers, and a copy keeps them apart', async () => {
  const { page, stored } = await open('#/survey/nps/edit', aSurvey({ status: 'active' }, { slug: 'nps' }));
  await questionOf(page).fill('Another question?');
  await page.getByRole('button', { name: 'Publish changes' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Responses before and after this change are added up').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText('More', { exact: true }).click();
  await page.getByRole('button', { name: 'Duplicate' }).click();
  await page.getByRole('heading', { name: 'New survey' }).waitFor();
  await page.getByText('This is a copy of nps. It is not saved yet.').waitFor();
  expect(await page.getByText('It was kept in this tab.').count()).toBe(0);
  expect(await questionOf(page).inputValue()).toBe('Another question?');
  await confirm(page, 'Save draft');
  await page.getByRole('heading', { name: 'Edit nps-copy Draft' }).waitFor();
  expect((await stored()).surveys.map(({ slug, status }) => [slug, status])).toEqual([
    ['nps', 'active'],
    ['nps-copy', 'draft'],
  ]);
});

it('a copy takes the place of another new survey that is being typed only where somebody says so', async () => {
  const survey = aSurvey({ status: 'active' }, { slug: 'nps', question: 'As it was?' });
  const { page } = await open('#/survey/nps/edit', survey);
  const copy = async () => {
    await page.evaluate("location.hash = '#/survey/nps/edit'");
    await page.getByRole('heading', { name: 'Edit nps Active' }).waitFor();
    await page.getByText('More', { exact: true }).click();
    await page.getByRole('button', { name: 'Duplicate', exact: true }).click();
  };
  await page.evaluate("location.hash = '#/new'");
  await page.getByRole('heading', { name: 'New survey Draft' }).waitFor();
  await questionOf(page).fill('Typed before?');
  await copy();
  await page.getByRole('dialog').getByRole('button', { name: 'Open the unsaved survey' }).click();
  await page.getByRole('heading', { name: 'New survey Draft' }).waitFor();
  expect(await questionOf(page).inputValue()).toBe('Typed before?');
  await copy();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard it and duplicate' }).click();
  await page.getByRole('heading', { name: 'New survey Draft' }).waitFor();
  expect(await questionOf(page).inputValue()).toBe('As it was?');
});

it('pausing is of the status alone: what is typed stays a draft', async () => {
  const survey = aSurvey({ status: 'active' }, { slug: 'nps', question: 'As it was?' });
  const { page, stored } = await open('#/survey/nps/edit', survey);
  await questionOf(page).fill('As it will be?');
  await page.getByLabel('Percentage of people asked').fill('ten');
  await confirm(page, 'Pause');
  await page.getByText('Paused.', { exact: true }).waitFor();
  // What is no number is not kept, and the field does not show it as one.
  expect(await page.getByLabel('Percentage of people asked').inputValue()).toBe('');
  expect((await stored()).surveys).toMatchObject([{ question: 'As it was?', status: 'paused' }]);
  expect(await questionOf(page).inputValue()).toBe('As it will be?');
  await confirm(page, 'Save changes');
  await page.getByText('Your changes are saved.').waitFor();
  expect((await stored()).surveys).toMatchObject([{ question: 'As it will be?', status: 'paused' }]);
});
