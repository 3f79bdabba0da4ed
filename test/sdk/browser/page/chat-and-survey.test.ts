import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Survey } from '../../../../sdk/browser/client/survey.ts';
import { aSurvey } from '../support/a-survey.ts';
import { bindingOf, bindThumbs, playRatings, pressed, THUMBS, thumb } from '../support/played-ratings.ts';
import { bench, openShop, useShops } from '../support/shop.ts';

useShops();

const NPS = aSurvey({ id: 'sv_nps' });

const { locales: _, followUpQuestion: __, ...RATED } = THUMBS;

async function openChat(surveys: readonly Survey[] = [RATED, NPS]) {
  const files: string[] = [];
  let played: Awaited<ReturnType<typeof playRatings>> | undefined;
  const shop = await openShop({
    prepare: async (page) => {
      played = await playRatings(page);
      const json = { surveys, suppression: [], showTokens: { [NPS.id]: 'token-nps' } };
      const headers = { 'access-control-allow-origin': '*' };
      await page.route('**/v1/sdk/bootstrap', (route) => route.fulfill({ headers, json }));
      page.on('request', (request) => {
        const [, name] = /\/sdk\/([a-z-]+)-\w+\.js$/.exec(request.url()) ?? [];
        if (name) files.push(name);
      });
    },
  });
  if (!played) throw new Error('No service was played.');
  await shop.page.waitForFunction(() => window.canvass?.bind);
  return { ...shop, ...played, files };
}

const bind = (page: Page) => bindThumbs(page, bindingOf('m1'));
const ask = (page: Page) => page.evaluate("canvass.show('recommend')");

it('loads the widget without the shared kit if thumbs have loaded it', async () => {
  const { page, files, radio, send, stored } = await openChat();
  await bind(page);
  await thumb(page, 'Helpful').click();
  await ask(page);
  await radio(9).check();
  await send().click();
  await expect.poll(() => stored.get('token-nps')).toMatchObject({ rating: 9 });
  expect(stored.get('token-m1')).toMatchObject({ rating: 1 });
  // After an answer, conditions also keep the quiet period of the person who was signed in before.
  expect(files.toSorted()).toEqual(['bare', 'conditions', 'follow-up', 'kit', 'thumbs']);
});

it("loads thumbs that reuse the widget's kit", async () => {
  const { page, files, radio, send, stored } = await openChat();
  await ask(page);
  await radio(9).check();
  await send().click();
  await bind(page);
  await thumb(page, 'Helpful').click();
  await expect.poll(() => stored.get('token-m1')).toMatchObject({ rating: 1 });
  await expect.poll(() => stored.get('token-nps')).toMatchObject({ rating: 9 });
  expect(await pressed(page)).toEqual(['Helpful']);
  expect(files.toSorted()).toEqual(['conditions', 'follow-up', 'thumbs', 'widget']);
});

it('holds `auto` surveys back while a thumb asks for words', async () => {
  const { page, region, files } = await openChat([THUMBS, { ...NPS, trigger: 'auto' }]);
  await bind(page);
  await page.clock.install();
  await thumb(page, 'Not helpful').click();
  const words = page.getByRole('textbox', { name: 'What was missing?' });
  await words.waitFor();
  await page.clock.runFor(60_000);
  // A request for the survey's file would precede this one.
  await page.evaluate(`fetch('${bench.service}/v1/sdk/bootstrap', { method: 'POST' }).then(() => undefined)`);
  expect(files).not.toContain('bare');
  await words.fill('The price');
  await page.locator('canvass-survey').getByRole('button', { name: 'Send' }).click();
  await page.clock.runFor(60_000);
  await region.waitFor();
});
