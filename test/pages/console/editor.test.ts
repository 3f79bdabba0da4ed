import { expect, it } from 'vitest';
import { buildSdk, filesOf } from '../../../bin/build/build-sdk.ts';
import { newSurvey } from '../../../pages/console/rules/edited-survey.ts';
import { TEMPLATES } from '../../../shared/domain/surveys/templates/templates.ts';
import { surveyFromTemplate } from '../../../shared/domain/surveys/templates/translated-template.ts';
import { PATIENCE_MS } from '../../sdk/browser/support/patience.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { scanAll } from '../../support/scan-all.ts';
import { serveInTest } from '../../support/serve.ts';
import {
  askedIn,
  choose,
  confirm,
  goTo,
  press,
  previewOf,
  questionOf,
  useEditor,
} from './support/open-console.ts';

const { service, gateway, open } = await useEditor();

it('creates a survey, previews it, and publishes, pauses, and archives it', async () => {
  const { page, problems, stored } = await open('#/new');
  await questionOf(page).fill('Would you recommend <i>us</i>?');
  await askedIn(page, 'Would you recommend <i>us</i>?').waitFor();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('pro-nps');
  await page.getByRole('textbox', { name: 'Follow-up question' }).fill('Why?');
  await press(page, 'Add a reason');
  await page.getByRole('textbox', { name: 'Reason 1' }).fill('Too expensive');
  await press(page, 'Add a condition');
  await page.getByLabel('Trait 1', { exact: true }).fill('plan');
  await page.getByLabel('Value of trait 1').fill('pro');
  await page.getByLabel('Percentage of people asked').fill('10');
  await page.getByRole('radio', { name: /^Again after some time/ }).check();
  await page.getByLabel('Add a language').selectOption('de');
  await page.getByLabel('Question, German', { exact: true }).fill('Empfehlen Sie uns?');
  await press(page, 'Add a breakdown');
  await page.getByRole('textbox', { name: 'Name 1' }).fill('seat');
  await page.getByRole('textbox', { name: 'Values 1, separated by commas' }).fill('owner, guest');
  await page.getByText('People whose plan is pro can be asked. One in ten of them is asked.').waitFor();
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
  const percentage = page.getByLabel('Percentage of people asked');
  await percentage.fill('ten');
  await confirm(page, 'Pause');
  await page.getByText('The survey is paused.', { exact: true }).waitFor();
  // Neither the draft nor the field keeps text that is not a number.
  expect(await percentage.inputValue()).toBe('');
  await percentage.fill('10');
  await confirm(page, 'Resume');
  await page.getByText('The survey is published.', { exact: true }).waitFor();
  await page.getByText('More', { exact: true }).click();
  await confirm(page, 'Archive');
  await page.getByText('The survey is archived.', { exact: true }).waitFor();
  expect((await stored()).surveys).toEqual([{ ...survey, status: 'archived' }]);
  expect(problems).toEqual([]);
});

it('asks and thanks by rating, in two languages, and walks through the wording of each rating', async () => {
  const { page, problems, stored } = await open('#/new');
  const widget = previewOf(page);
  const text = (name: string) => page.getByRole('textbox', { name, exact: true });
  const chip = (group: string, rating: number) =>
    page.getByRole('group', { name: group }).getByRole('checkbox', { name: String(rating), exact: true });
  const focusedId = () => page.evaluate('document.activeElement.id');
  const walked = page.getByLabel('Rating in the preview');
  await text('Follow-up question').fill('Why?');
  expect(await walked.count()).toBe(0);
  await press(page, 'Add a follow-up question');
  for (const rating of [0, 1, 2, 3, 4, 5, 6]) {
    await expect.poll(() => chip('question 1', rating).evaluate((node) => node.matches(':focus'))).toBe(true);
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
  }
  for (let tabs = 0; tabs < 4; tabs++) await page.keyboard.press('Tab');
  await page.keyboard.type('What went wrong?');
  await press(page, 'Add a follow-up question');
  await expect.poll(focusedId).toBe('field-followUps-1-ratings');
  expect(await chip('question 2', 6).isDisabled()).toBe(true);
  expect(await chip('question 2', 7).getAttribute('id')).toBe('field-followUps-1-ratings');
  await press(page, 'Publish');
  await page.getByText('Select at least one rating.').first().waitFor();
  await press(page, 'Remove follow-up question 2');
  await press(page, 'Add a thank-you message');
  for (const rating of [10, 9]) await chip('message 1', rating).check();
  await text('Thank-you message 1').fill('Would you tell others?');
  await text('Link text 1').fill('Write a review');
  await text('Link address 1').fill('https://reviews.example/canvass');
  await text('Thank-you message').fill('Thanks');
  await page.getByLabel('Add a language').selectOption('de');
  await text('Follow-up question, ratings 0 to 6, German').fill('Was ging schief?');
  await text('Thank-you message, ratings 9 and 10, German').fill('Sagen Sie es weiter?');
  await text('Link text, ratings 9 and 10, German').fill('Bewerten');
  await text('Link address, ratings 9 and 10, German').fill('https://reviews.example/de');
  await chip('message 1', 8).check();
  await choose(page, 'Follow-up');
  await widget.locator('form').getByText('What went wrong?').waitFor();
  await choose(page, 'Thank-you');
  await walked.selectOption('8');
  await widget.getByRole('link', { name: 'Write a review' }).waitFor();
  await choose(page, 'Question');
  await widget.getByRole('radio', { name: /^3/ }).check({ force: true });
  await expect.poll(() => walked.inputValue()).toBe('3');
  await choose(page, 'Follow-up');
  await page.getByLabel('Language of the preview').selectOption('de');
  await widget.locator('form').getByText('Was ging schief?').waitFor();
  await walked.selectOption('9');
  await widget.locator('form').getByText('Why?').waitFor();
  await widget.locator('.send').click();
  await widget.getByRole('link', { name: 'Bewerten' }).waitFor();
  await press(page, 'Publish');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('“What went wrong?” (ratings 0 to 6)').waitFor();
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  const link = (label: string, path: string) => ({ label, url: `https://reviews.example/${path}` });
  expect((await stored()).surveys).toEqual([
    {
      ...newSurvey('nps', []),
      status: 'active',
      followUpQuestion: 'Why?',
      followUps: [{ ratings: [0, 1, 2, 3, 4, 5, 6], question: 'What went wrong?' }],
      thanks: [
        { ratings: [8, 9, 10], text: 'Would you tell others?', link: link('Write a review', 'canvass') },
        { text: 'Thanks' },
      ],
      locales: {
        de: {
          followUps: [{ ratings: [0, 1, 2, 3, 4, 5, 6], question: 'Was ging schief?' }],
          thanks: [{ ratings: [8, 9, 10], text: 'Sagen Sie es weiter?', link: link('Bewerten', 'de') }],
        },
      },
    },
  ]);
  expect(problems).toEqual([]);
});

it('makes a survey that the person opens, without fields that do not apply', async () => {
  const { page, problems, stored } = await open('#/new');
  const fields = ['Percentage of people asked', 'Delay', 'Quiet period', 'Ignore the quiet period'];
  const text = (name: string) => page.getByRole('textbox', { name, exact: true });
  await page.getByLabel('Percentage of people asked').fill('10');
  await page.getByRole('radio', { name: /^Again after some time/ }).check();
  await page.getByRole('radio', { name: /^When the person opens it/ }).check();
  await text('Name').fill('feedback');
  await page.getByText('<button data-canvass-open="feedback">Feedback</button>', { exact: true }).waitFor();
  await page.getByText("canvass.open('feedback')", { exact: true }).waitFor();
  for (const name of fields) expect(await page.getByLabel(name).count(), name).toBe(0);
  await page
    .getByText('Everyone can open the survey. Each person can answer up to ten times a day.')
    .waitFor();
  await askedIn(page, newSurvey('nps', []).question).waitFor();
  await press(page, 'Publish');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('when the person opens it', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  const published = { ...newSurvey('nps', []), slug: 'feedback', status: 'active', trigger: 'person' };
  expect((await stored()).surveys).toEqual([published]);
  await page.getByRole('radio', { name: /^Automatically/ }).check();
  for (const name of fields) await page.getByLabel(name).first().waitFor();
  expect(problems).toEqual([]);
});

it('creates a choice survey in two languages, and rewords, moves, and removes choices up to the limit', async () => {
  const { page, problems, stored, change } = await open('#/new');
  const text = (name: string) => page.getByRole('textbox', { name, exact: true });
  const check = (name: string) => page.getByRole('checkbox', { name, exact: true });
  const type = (name: string) => page.getByRole('radio', { name: new RegExp(`^${name}`) });
  const focusedId = () => page.evaluate('document.activeElement.id');
  await text('Follow-up question').fill('Why?');
  await type('Choice').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.getByText('Removed: Follow-up question.').waitFor();
  expect(await text('Follow-up question').count()).toBe(0);
  await press(page, 'Undo');
  await expect.poll(focusedId).toBe('field-type');
  expect(await text('Follow-up question').inputValue()).toBe('Why?');
  await type('Choice').check();
  for (const hidden of [text('Label at the low end'), page.getByText('by rating', { exact: false })])
    expect(await hidden.count()).toBe(0);
  await press(page, 'Publish');
  await page.getByText('Enter a choice.').first().waitFor();
  await text('Choice 1').fill('Too expensive');
  await check('Counts as a low rating, choice 1').check();
  await text('Choice 2').fill('Something else');
  await check('Asks for a comment, choice 2').check();
  await press(page, 'Add a choice');
  await expect.poll(focusedId).toBe('field-choices-2-label');
  await page.keyboard.type('Too slow');
  await press(page, 'Move choice 3 up');
  await expect.poll(focusedId).toBe('field-choices-1-label');
  await page.getByRole('checkbox', { name: /^Shuffle the choices/ }).check();
  await page.getByLabel('Add a language').selectOption('de');
  await text('Choice 2, German').fill('Zu langsam');
  await confirm(page, 'Publish');
  await page.getByRole('heading', { name: 'Edit choice Active' }).waitFor();
  const [price, slow, other] = [
    { code: 'too-expensive', label: 'Too expensive', low: true },
    { code: 'too-slow', label: 'Too slow' },
    { code: 'something-else', label: 'Something else', words: true },
  ];
  const survey = {
    ...newSurvey('choice', []),
    ...{ status: 'active' as const, followUpQuestion: 'Why?', choices: [price, slow, other], shuffle: true },
    locales: { de: { choices: { 'too-slow': 'Zu langsam' } } },
  };
  expect((await stored()).surveys).toEqual([survey]);
  await text('Choice 1').fill('The price');
  await press(page, 'Remove choice 2');
  await press(page, 'Publish changes');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('“The price” (low), “Something else” (asks for a comment)').waitFor();
  await dialog.getByText('Earlier responses with “Too expensive” will count as “The price”.').waitFor();
  await dialog.getByText('The choice “Too slow” will no longer be offered.').waitFor();
  await dialog.getByRole('button', { name: 'Publish changes' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const kept = { ...survey, choices: [{ ...price, label: 'The price' }, other], locales: { de: {} } };
  expect((await stored()).surveys).toEqual([kept]);
  expect(await page.getByRole('button', { name: 'Remove choice' }).count()).toBe(0);
  const more = Array.from({ length: 7 }, (_, at) => ({ code: `c${at}`, label: `Another ${at}` }));
  await change([{ ...kept, choices: [...more, other] }]);
  await page.reload();
  for (const nth of [8, 7]) await press(page, `Remove choice ${nth}`);
  for (const label of ['Unheard of', 'Also new']) {
    await press(page, 'Add a choice');
    await page.keyboard.type(label);
  }
  expect(await page.getByRole('button', { name: 'Add a choice' }).count()).toBe(0);
  await press(page, 'Publish changes');
  await page.getByRole('alert').getByText('A survey can have 11 different choices over time').waitFor();
  expect(problems).toEqual([]);
});

it('asks questions after the rating, and keeps the ID and the kind of stored ones', async () => {
  const { page, problems, stored } = await open('#/new');
  const text = (name: string) => page.getByRole('textbox', { name, exact: true });
  const focusedId = () => page.evaluate('document.activeElement.id');
  await press(page, 'Add a question');
  await expect.poll(focusedId).toBe('field-questions-0-text');
  await press(page, 'Publish');
  for (const path of ['text', 'choices-1-label'])
    await page.locator(`#field-questions-0-${path}-problem`).waitFor();
  await text('Question 1').fill('What for?');
  await text('ID of question 1').fill('use');
  await page.getByLabel('Kind of question 1').selectOption('many');
  await text('Choice 1 of question 1').fill('Alerts');
  await text('Choice 2 of question 1').fill('Reports');
  await press(page, 'Move choice 2 of question 1 up');
  await expect.poll(focusedId).toBe('field-questions-0-choices-0-label');
  const asks = page.getByRole('group', { name: /^Ratings that ask question 1/ });
  for (const name of ['9', '10'])
    await asks.getByRole('checkbox', { name, exact: true }).check({ force: true });
  await press(page, 'Add a question');
  await text('Question 2').fill('How easy?');
  await page.getByLabel('Kind of question 2').selectOption('scale');
  await page.getByLabel('Highest number of question 2').selectOption('7');
  await press(page, 'Move question 2 up');
  await press(page, 'Add a question');
  await page.getByLabel('Kind of question 3').selectOption('text');
  await text('Question 3').fill('Anything else?');
  expect(await page.getByRole('button', { name: 'Add a question', exact: true }).count()).toBe(0);
  await page.getByLabel('Add a language').selectOption('de');
  await text('Question 2, German').fill('Wofür?');
  await text('Question 2, choice 1, German').fill('Berichte');
  await confirm(page, 'Publish');
  await page.getByRole('heading', { name: 'Edit nps Active' }).waitFor();
  const [reports, alerts] = ['Reports', 'Alerts'].map((label) => ({ code: label.toLowerCase(), label }));
  const [effort, use, more] = [
    { id: 'question', kind: 'scale', text: 'How easy?', min: 1, max: 7 },
    { id: 'use', kind: 'many', text: 'What for?', choices: [reports, alerts], ratings: [9, 10] },
    { id: 'question-2', kind: 'text', text: 'Anything else?' },
  ];
  const de = { questions: { use: { text: 'Wofür?', choices: { reports: 'Berichte' } } } };
  expect((await stored()).surveys).toMatchObject([{ questions: [effort, use, more], locales: { de } }]);
  expect(await page.getByLabel(/^(Kind|ID) of question/).count()).toBe(0);
  expect(await page.getByText('use a new ID').count()).toBe(3);
  await text('Choice 1 of question 2').fill('All reports');
  await press(page, 'Remove question 1');
  await press(page, 'Publish changes');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The question “How easy?” will no longer be asked.').waitFor();
  await dialog.getByRole('button', { name: 'Publish changes' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const kept = { ...use, choices: [{ code: 'reports', label: 'All reports' }, alerts] };
  expect((await stored()).surveys).toMatchObject([{ questions: [kept, more], locales: { de } }]);
  expect(problems).toEqual([]);
});

it('shows problems at their fields: before it asks the service, and when the name was taken since', async () => {
  const { page, requests, change, stored } = await open('#/new', [aSurvey({}, { slug: 'nps' })]);
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  const focusedId = () => page.evaluate('document.activeElement.id');
  await questionOf(page).fill('');
  await name.fill('nps');
  await press(page, 'Publish');
  await page
    .getByRole('alert')
    .filter({ hasText: 'Fix 2 problems before you continue. Question: Enter a question.' })
    .waitFor();
  expect(await questionOf(page).getAttribute('aria-invalid')).toBe('true');
  await page.getByText('Another survey has this name.').waitFor();
  await expect.poll(focusedId).toBe('field-question');
  expect(requests.filter((path) => path === '/v1/surveys/definitions')).toEqual([]);
  await questionOf(page).fill('Filled in?');
  await name.fill('late');
  const [nps] = (await stored()).surveys;
  if (nps !== undefined) await change([{ ...nps, slug: 'late' }]);
  await press(page, 'Publish');
  await expect.poll(focusedId).toBe('field-slug');
  await page.getByText('Another survey has this name.').first().waitFor();
});

it('warns when the question changes, and duplicates a survey without losing another new one', async () => {
  const survey = aSurvey({ status: 'active' }, { slug: 'nps', question: 'The original?' });
  const { page, stored } = await open('#/survey/nps/edit', [survey]);
  const duplicate = async () => {
    await goTo(page, '#/survey/nps/edit', 'Edit nps Active');
    await page.getByText('More', { exact: true }).click();
    await press(page, 'Duplicate');
  };
  const isNew = () => page.getByRole('heading', { name: 'New survey Draft' }).waitFor();
  await questionOf(page).fill('Another question?');
  await press(page, 'Publish changes');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Responses from before and after this change count').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await goTo(page, '#/new', 'New survey Draft');
  await questionOf(page).fill('Typed before?');
  await duplicate();
  await dialog.getByRole('button', { name: 'Open the unsaved survey' }).click();
  await isNew();
  expect(await questionOf(page).inputValue()).toBe('Typed before?');
  await duplicate();
  await dialog.getByRole('button', { name: 'Replace it with the copy' }).click();
  await isNew();
  await page.getByText('This is a copy of nps. It is not saved yet.').waitFor();
  expect(await page.getByText('They stay in this tab until you close it').count()).toBe(0);
  expect(await questionOf(page).inputValue()).toBe('Another question?');
  await confirm(page, 'Save draft');
  await page.getByRole('heading', { name: 'Edit nps-copy Draft' }).waitFor();
  expect((await stored()).surveys.map(({ slug, status }) => [slug, status])).toEqual([
    ['nps', 'active'],
    ['nps-copy', 'draft'],
  ]);
});

/** A product page on its own origin, with the client's files hosted there as some customers do. */
async function productOf(key: string): Promise<string> {
  const files = new Map<string, string>(
    filesOf(await buildSdk()).flatMap(({ stableName, hashedName, text }) => [
      [`/sdk/${stableName}`, text] as [string, string],
      [`/sdk/${hashedName}`, text] as [string, string],
    ]),
  );
  const page = `<!doctype html><title>Shop</title><script async src="/sdk/canvass.js" data-key="${key}" data-base-url="${gateway.url}" data-user="ann"></script>`;
  return serveInTest(({ url = '' }, response) => {
    const script = files.get(url);
    response.setHeader('content-type', script === undefined ? 'text/html; charset=utf-8' : 'text/javascript');
    response.end(script ?? page);
  });
}

it('shows the draft on the product by a link until the draft changes, and stores nothing', async () => {
  const { page, projectId, publishableKey, stored, problems } = await open('#/new');
  const product = await productOf(publishableKey);
  await questionOf(page).fill('Tried first?');
  await page.getByRole('textbox', { name: 'Thank-you message' }).fill('Thanks a lot');
  await press(page, 'Create link');
  await page.getByText('Enter the address of a page in your product').waitFor();
  await page.getByLabel('A page of your product').fill(`${product}/orders?x=1#top`);
  await press(page, 'Create link');
  const link = page.getByRole('link', { name: 'Open the page' });
  const address = new URL((await link.getAttribute('href')) ?? '');
  expect(address.href.replace(product, '')).toMatch(/^\/orders\?x=1&canvass-preview=[\w.~-]+#top$/);
  const before = await scanAll(service.table, projectId);
  const [shop] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
  shop.setDefaultTimeout(PATIENCE_MS);
  const asked: string[] = [];
  shop.on('request', (request) => asked.push(request.url()));
  const widget = shop.getByRole('region', { name: 'Feedback' });
  await widget.locator('legend').filter({ hasText: 'Tried first?' }).waitFor();
  await widget.getByRole('radio', { name: /^9/ }).check({ force: true });
  await widget.getByRole('button', { name: 'Send' }).click();
  await widget.getByText('Thanks a lot').first().waitFor();
  await shop.waitForLoadState('networkidle');
  expect(asked.filter((each) => /responses|dismissals|impressions/.test(each))).toEqual([]);
  expect(await scanAll(service.table, projectId)).toEqual(before);
  expect((await stored()).surveys).toEqual([]);
  await questionOf(page).fill('Typed again?');
  await link.waitFor({ state: 'hidden' });
  expect(problems).toEqual([]);
});

it('starts a new survey from a template, in a language of the widget', async () => {
  const { page, problems, stored } = await open('#/new');
  const names = await page.getByLabel('Template', { exact: true }).locator('option').allTextContents();
  expect(names.slice(1)).toEqual(Object.values(TEMPLATES).map(({ name }) => name));
  await page.getByLabel('Template', { exact: true }).selectOption('churn');
  await page.getByLabel('Language of the template').selectOption('de');
  await press(page, 'Use template');
  await page.getByText(TEMPLATES.churn.advice).waitFor();
  await askedIn(page, 'Warum verlassen Sie uns?').waitFor();
  await confirm(page, 'Save draft');
  await page.getByRole('heading', { name: 'Edit leaving Draft' }).waitFor();
  expect((await stored()).surveys).toEqual([await surveyFromTemplate('churn', ['de'])]);
  expect(problems).toEqual([]);
});
