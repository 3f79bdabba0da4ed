import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { answer } from '../browser/support/delivery.ts';
import { useShops } from '../browser/support/shop.ts';
import { VERSIONS } from './support/bundle.ts';
import { openReact, provider } from './support/react-page.ts';

useShops();

describe.each(VERSIONS)('with React %i', (version) => {
  it("calls the last render's listener once per event", async () => {
    const scene = { strict: true, provider: { ...provider, userId: `user-${randomUUID()}` } };
    const shop = await openReact(version, scene);
    const { page, render } = shop;
    await page.getByText('ready').waitFor();
    const before = await page.evaluate(() => window.app.seen.renders);
    await render(scene);
    await expect.poll(() => page.evaluate(() => window.app.seen.renders)).toBeGreaterThan(before);
    await page.evaluate(() => window.app.seen.clients[0]?.show('plain'));
    await answer(shop);
    const heard = await page.evaluate(() => window.app.seen.answered);
    expect(heard).toHaveLength(1);
    const [rating, number] = heard[0]?.split(', render ') ?? [];
    expect(rating).toBe('9');
    expect(Number(number)).toBeGreaterThan(before);
  });
});
