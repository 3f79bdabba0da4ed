import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { rowsOf } from '../browser/support/delivery.ts';
import { useShops } from '../browser/support/shop.ts';
import { VERSIONS } from './support/bundle.ts';
import { mint, openReact, provider } from './support/react-page.ts';

useShops();

const person = () => ({ ...provider, userId: `user-${randomUUID()}` });

describe.each(VERSIONS)('with React %i', (version) => {
  it('asks in its place when mounted, and disappears with it', async () => {
    const ann = person();
    const shop = await openReact(version, { strict: true, provider: ann });
    const { page, render, region, radio } = shop;
    await page.getByText('ready').waitFor();
    expect(await page.locator('canvass-survey').count()).toBe(0);
    await render({ strict: true, provider: ann, inline: { slug: 'csat-inline' } });
    await page.locator('.survey > canvass-survey').waitFor();
    expect(await page.locator('canvass-survey').count()).toBe(1);
    await radio(5).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await render({ strict: true, provider: ann });
    await region.waitFor({ state: 'detached' });
    // The client sends a choice before it looks for the next survey.
    await page.evaluate(() => window.app.seen.clients[0]?.show('plain'));
    expect(await rowsOf({ ...shop, user: ann.userId }, 1)).toMatchObject([{ rating: 5 }]);
  });

  it('sends a choice when the page is left after unmounting', async () => {
    const ann = person();
    const shop = await openReact(version, { provider: ann, inline: { slug: 'csat-inline' } });
    const { page, render, radio, region } = shop;
    await radio(5).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await render({ provider: ann });
    await region.waitFor({ state: 'detached' });
    await page.goto('about:blank');
    expect(await rowsOf({ ...shop, user: ann.userId }, 1)).toMatchObject([{ rating: 5 }]);
  });

  it('asks another survey when its slug changes', async () => {
    const ann = person();
    const { render, region } = await openReact(version, {
      provider: ann,
      inline: { slug: 'csat-inline' },
    });
    await region.getByRole('group', { name: 'How satisfied are you with your order?' }).waitFor();
    await render({ provider: ann, inline: { slug: 'ces-inline' } });
    await region.getByRole('group', { name: 'It was easy to return my order.' }).waitFor();
    expect(await region.count()).toBe(1);
  });

  it('asks each person', async () => {
    const [ann, ben] = [person(), person()];
    const shop = await openReact(version, { provider: ann, inline: { slug: 'csat-inline' } });
    const { page, render, radio, region } = shop;
    await radio(5).click();
    await render({ provider: ben, inline: { slug: 'csat-inline' } });
    await expect.poll(() => region.locator(':checked').count()).toBe(0);
    await radio(2).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => shop.sent.at(-1)?.body).toMatchObject({ userId: ben.userId, rating: 2 });
    expect(await rowsOf({ ...shop, user: ben.userId }, 1)).toMatchObject([{ rating: 2 }]);
  });

  it('asks with a session-bound token', async () => {
    const ann = person();
    const binding = await mint('csat-inline', ann.userId, 'turn-1');
    const shop = await openReact(version, {
      strict: true,
      provider: ann,
      inline: { slug: 'csat-inline', binding },
    });
    const { page, radio } = shop;
    await radio(5).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    expect(await rowsOf({ ...shop, user: ann.userId }, 1)).toMatchObject([
      { rating: 5, linked: true, sessionId: 'session-1', observationId: 'turn-1' },
    ]);
  });

  it("asks with another person's token", async () => {
    const [ann, ben] = [person(), person()];
    const [hers, his] = [
      await mint('csat-inline', ann.userId),
      await mint('csat-inline', ben.userId, 'turn-2'),
    ];
    const shop = await openReact(version, { provider: ann, inline: { slug: 'csat-inline', binding: hers } });
    const { page, radio, render, region } = shop;
    await radio(5).click();
    await render({ provider: ben, inline: { slug: 'csat-inline', binding: his } });
    await expect.poll(() => region.locator(':checked').count()).toBe(0);
    await radio(2).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    expect(await rowsOf({ ...shop, user: ben.userId }, 1)).toMatchObject([
      { rating: 2, linked: true, observationId: 'turn-2' },
    ]);
  });
});
