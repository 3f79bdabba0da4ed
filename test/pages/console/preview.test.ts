/** The preview: the widget itself in a frame that reaches nothing of the console, and asks nobody. */

import { describe, expect, it } from 'vitest';
import { useChromium } from '../../sdk/browser/support/use-chromium.ts';
import { useServedService } from '../../support/service/served-service.ts';
import { askedIn, choose, openEditor, previewOf, questionOf } from './support/editor-page.ts';
import { goTo } from './support/open-console.ts';

const browser = useChromium();
const { service, gateway } = await useServedService();

async function open() {
  const { project } = await service.tenant();
  const editor = await openEditor(browser, { service, url: gateway.url, projectId: project.id }, '#/new');
  await previewOf(editor.page).getByRole('radio').first().waitFor();
  return editor;
}

it('shows each step, of each type, in each language and color, as it is typed', async () => {
  const { page, problems, requests } = await open();
  const widget = previewOf(page);
  const before = requests.length;
  await page.getByRole('textbox', { name: 'Follow-up question' }).fill('What is missing?');
  await page.getByRole('button', { name: 'Add a reason' }).click();
  await page.getByRole('textbox', { name: 'Reason 1' }).fill('Price');
  await choose(page, 'Follow-up');
  await widget.locator('form').getByText('What is missing?').waitFor();
  await page.getByRole('textbox', { name: 'Reason 1' }).fill('Its price');
  await widget.getByText('Its price', { exact: true }).waitFor();
  await choose(page, 'Thanks');
  await page.getByRole('textbox', { name: 'Message after the response' }).fill('Thanks a lot');
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
    await choose(page, 'Thanks');
    await widget.getByText('Thanks a lot').first().waitFor();
  }
  // Nothing is sent and nothing is fetched, whatever is shown.
  expect(requests.slice(before)).toEqual([]);
  expect(problems).toEqual([]);
});

it('is the real one: it can be clicked through, and the console follows; closed, it comes back', async () => {
  const { page, requests } = await open();
  const widget = previewOf(page);
  const before = requests.length;
  await page.getByRole('textbox', { name: 'Follow-up question' }).fill('What is missing?');
  // The frame draws each change anew: a rating that is chosen before it has drawn this one is lost.
  await choose(page, 'Follow-up');
  await widget.locator('form').getByText('What is missing?').waitFor();
  await choose(page, 'Question');
  await widget.getByRole('radio', { name: /^3/ }).check({ force: true });
  await widget.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('radio', { name: 'Follow-up', exact: true, checked: true }).waitFor();
  await widget.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('radio', { name: 'Thanks', exact: true, checked: true }).waitFor();
  await widget.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('radio', { name: 'Question', exact: true, checked: true }).waitFor();
  await widget.getByRole('radio').first().waitFor();
  expect(requests.slice(before)).toEqual([]);
});

it('a banner has room for its one line, as in a wide window', async () => {
  const { page } = await open();
  await page.getByRole('radio', { name: /^As a banner/ }).check();
  await previewOf(page).locator('.banner').waitFor();
  // Of sdk/browser/widget/looks.css.
  await expect.poll(() => page.frames()[1]?.evaluate("matchMedia('(width > 1200px)').matches")).toBe(true);
});

describe('the frame', () => {
  it('has an origin of its own: neither the key nor what is typed is within its reach', async () => {
    const { page } = await open();
    const frame = page.frames()[1];
    expect(await frame?.evaluate('location.origin + self.origin')).toMatch(/null$/);
    const reach = (what: string) =>
      frame?.evaluate(`(() => { try { return String(${what}) } catch { return 'nothing' } })()`);
    expect(await reach('parent.document')).toBe('nothing');
    expect(await reach('sessionStorage.length')).toBe('nothing');
    expect(await frame?.evaluate("fetch('/v1/surveys').then(() => 'asked', () => 'refused')")).toBe(
      'refused',
    );
  });

  it('listens to the console alone, and the console to its frame alone', async () => {
    const { page } = await open();
    const frame = page.frames()[1];
    const survey = '{ type: "nps", question: "Forged?", presentation: "corner", scale: { min: 0, max: 10 } }';
    const show = `{ type: 'show', survey: ${survey}, language: 'en', theme: 'light', step: 'question' }`;
    // From itself, and from another window that the page has opened.
    await frame?.evaluate(`postMessage(${show}, '*')`);
    await page.evaluate("postMessage({ type: 'step', step: 'thanks' }, '*')");
    await questionOf(page).fill('After both?');
    await askedIn(page, 'After both?').waitFor();
    expect(await askedIn(page, 'Forged?').count()).toBe(0);
    expect(await page.getByRole('radio', { name: 'Question', exact: true }).isChecked()).toBe(true);
  });

  it('takes texts for texts, bears with a survey that is not whole, and is missed without the form', async () => {
    const { page, problems } = await open();
    const evil = '<img src=x onerror="parent.postMessage(1)"><script>alert(1)</script>';
    await questionOf(page).fill(evil);
    await askedIn(page, evil).waitFor();
    await questionOf(page).fill('');
    await page.getByRole('button', { name: 'Add a reason' }).click();
    await choose(page, 'Follow-up');
    await questionOf(page).fill('Whole again?');
    await choose(page, 'Question');
    await askedIn(page, 'Whole again?').waitFor();
    expect(problems).toEqual([]);
    // A later release has taken its file away.
    await page.route('**/console/assets/preview-*', (route) => route.fulfill({ status: 404 }));
    await goTo(page, '#/help', 'Help');
    await goTo(page, '#/new', 'New survey');
    await page.getByRole('alert').filter({ hasText: 'the preview is gone' }).waitFor();
    expect(await questionOf(page).inputValue()).toBe('Whole again?');
  });
});
