import { describe, expect, it } from 'vitest';
import { openShop, openShopShowing, type Scene, type Shop, useStage } from '../support/shop.ts';

const show = useStage();

const fetchedBy = (fetched: string[]) => ({
  prepare: async (page: { on(event: 'request', heard: (request: { url(): string }) => void): unknown }) => {
    page.on('request', (request) => {
      const file = /(languages|words-\w+)-[0-9a-f]{8}\.js$/.exec(request.url())?.[1];
      if (file) fetched.push(file);
    });
  },
});

describe('the words of the widget', () => {
  it.each([
    ['pt-BR', 'pt', 'Enviar', 'Fechar', 'ltr'],
    ['ar-EG', 'ar', 'إرسال', 'إغلاق', 'rtl'],
  ])('are in %s, and only that language is loaded', async (lang, file, send, close, direction) => {
    const fetched: string[] = [];
    const { page, radio } = await openShopShowing('plain', { lang, ...fetchedBy(fetched) });
    await radio(9).click();
    await page.getByRole('button', { name: send, exact: true }).waitFor();
    await page.getByRole('button', { name: close, exact: true }).waitFor();
    const panel = page.locator('canvass-survey section');
    expect(await panel.evaluate((element) => getComputedStyle(element).direction)).toBe(direction);
    expect(fetched).toEqual(['languages', `words-${file}`]);
  });

  it.each(['en-GB', 'tlh'])('are English on a page in %s', async (lang) => {
    const fetched: string[] = [];
    const { region } = await openShopShowing('plain', { lang, ...fetchedBy(fetched) });
    await region.waitFor();
    expect(fetched).toEqual(lang === 'tlh' ? ['languages'] : []);
  });

  it('are English if they cannot be loaded, and the survey is shown', async () => {
    const { page, radio } = await openShop({
      lang: 'fr',
      calls: [['show', 'plain']],
      prepare: (opened) => opened.route('**/languages-*.js', (route) => route.fulfill({ status: 404 })),
    });
    await radio(9).click();
    await page.getByRole('button', { name: 'Send' }).waitFor();
  });
});

describe('the words of a survey', () => {
  it('replace those of the widget and the page', async () => {
    const { page, radio } = await show('worded', {
      anonymous: true,
      options: { strings: { send: 'Go' } },
    });
    await page.getByRole('radio', { name: '0, Never' }).waitFor();
    await page.getByRole('button', { name: 'Not now' }).waitFor();
    await radio(3).click();
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('checkbox', { name: 'Call me' }).click();
    await page.getByRole('textbox', { name: 'Your number' }).waitFor();
  });

  it('are those of the locale if it has them', async () => {
    const { page, radio } = await show('worded', { lang: 'de' });
    await page.getByRole('radio', { name: '10, Immer' }).waitFor();
    await page.getByRole('button', { name: 'Not now' }).waitFor();
    await radio(9).click();
    await page.getByRole('button', { name: 'Abschicken' }).click();
    await page.getByRole('button', { name: 'Abschicken' }).click();
    await page.getByText('Danke sehr.').waitFor();
  });
});

async function askForContact(scene: Scene = {}): Promise<Shop> {
  const shop = await show('nps-corner', { anonymous: true, ...scene });
  await shop.radio(3).click();
  await shop.page.locator('canvass-survey .send').click();
  expect(await shop.page.locator('canvass-survey input[type=email]:visible').count()).toBe(0);
  await shop.page.getByRole('checkbox').click();
  return shop;
}

describe('the contact checkbox', () => {
  it('keeps the step and the focus while the address is unusable, and sends nothing', async () => {
    const { page, send, sent, region } = await askForContact();
    const address = page.getByRole('textbox', { name: 'Your email address' });
    for (const given of ['', 'ann', 'ann@']) {
      await address.fill(given);
      await send().focus();
      await send().dblclick();
      expect(await address.evaluate((field) => field.matches(':focus')), given).toBe(true);
    }
    expect(await address.isVisible()).toBe(true);
    expect(sent.map(({ path }) => path)).not.toContain('/v1/sdk/responses');
    await address.fill('ann@example.com');
    await address.press('Enter');
    await region.getByText('Thank you!').waitFor();
    const body = { rating: 3, followUpRequested: true, contact: 'ann@example.com' };
    await expect.poll(() => sent.at(-1)?.body).toMatchObject(body);
  });

  it.each([
    { lang: 'en', what: 'Please complete this field (name@example.com)' },
    { lang: 'de', what: 'Bitte vollständig ausfüllen (name@example.com)' },
  ])('shows what is wrong below the field until fixed, without native messages: $lang', async (its) => {
    const { page, region } = await askForContact({ lang: its.lang });
    const address = page.locator('canvass-survey input[type=email]');
    // The event that precedes the native bubble is the only way to detect it.
    await region.evaluate((panel) =>
      panel.addEventListener('invalid', () => panel.setAttribute('title', 'bubble'), true),
    );
    const told = () =>
      address.evaluate((field) => {
        const root = field.getRootNode() as ShadowRoot;
        const line = root.getElementById(field.getAttribute('aria-describedby') ?? '');
        return { isInvalid: field.ariaInvalid, line: line?.textContent };
      });
    expect(await told()).toMatchObject({ isInvalid: null, line: '' });
    const isWrong = { isInvalid: 'true', line: its.what };
    await address.press('Enter');
    expect(await told()).toMatchObject(isWrong);
    await region.getByRole('status').filter({ hasText: its.what }).waitFor();
    await region.locator('.address').getByText(its.what).waitFor();
    // The error does not appear while the person is typing.
    await address.pressSequentially('ann@');
    expect(await told()).toMatchObject(isWrong);
    await address.press('e');
    expect(await told()).toMatchObject({ isInvalid: 'false', line: '' });
    await address.press('Backspace');
    expect(await told()).toMatchObject({ line: '' });
    await address.press('Enter');
    expect(await told()).toMatchObject(isWrong);
    expect(await region.getAttribute('title')).toBeNull();
    expect(await address.evaluate((field: HTMLInputElement) => field.form?.noValidate)).toBe(true);
    await address.press('Escape');
    await region.waitFor({ state: 'detached' });
  });

  it('hides the error while unchecked', async () => {
    const { page, radio, send, region } = await askForContact();
    await send().click();
    const line = region.locator('.address').getByText('Please complete this field');
    await line.waitFor();
    await page.getByRole('checkbox').click();
    await line.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Back 3' }).click();
    await radio(3).waitFor();
    await send().click();
    await page.getByRole('checkbox').click();
    await line.waitFor();
    await region.locator('.address input').fill('ann@example.com');
    await line.waitFor({ state: 'detached' });
  });

  it.each(['survey', 'page'] as const)(
    'accepts a phone number if the words of the %s ask for one, but not an empty field',
    async (whose) => {
      const slug = whose === 'survey' ? 'worded' : 'nps-corner';
      const { page, radio, region, sent } = await show(slug, {
        anonymous: true,
        options: {
          strings: { contactAddress: 'Your number', incomplete: 'We need it', thanks: 'Many thanks.' },
        },
      });
      const send = page.getByRole('button', { name: /^(Submit|Send)$/ });
      await radio(3).click();
      await send.click();
      await page.getByRole('checkbox').click();
      const number = page.getByRole('textbox', { name: 'Your number' });
      await send.click();
      expect(await number.evaluate((field) => field.matches(':focus'))).toBe(true);
      await region.locator('.address').getByText('We need it', { exact: true }).waitFor();
      await number.fill('+49 30 1234');
      await send.click();
      await region.getByText('Many thanks.').waitFor();
      await expect.poll(() => sent.at(-1)?.body).toMatchObject({ rating: 3, contact: '+49 30 1234' });
    },
  );

  it('withdraws the address with the checkbox', async () => {
    const { page, send, sent } = await askForContact();
    const wish = page.getByRole('checkbox', { name: 'You may contact me about this' });
    await page.getByRole('textbox', { name: 'Your email address' }).fill('ann@');
    await wish.click();
    await send().click();
    await expect.poll(() => sent.at(-1)?.body).toMatchObject({ rating: 3, followUpRequested: false });
    expect(sent.at(-1)?.body).not.toHaveProperty('contact');
  });

  it('asks an identified person for no address', async () => {
    const { page } = await askForContact({ anonymous: false });
    expect(await page.getByRole('textbox', { name: 'Your email address' }).count()).toBe(0);
  });
});
