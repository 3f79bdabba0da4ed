import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { outbox } from '../browser/support/delivery.ts';
import { storedRows, useShops } from '../browser/support/shop.ts';
import { VERSIONS } from './support/bundle.ts';
import { mint, openReact, provider } from './support/react-page.ts';

useShops();

const SLUG = 'thumbs-inline';

describe.each(VERSIONS)('with React %i', (version) => {
  it('rates, changes and withdraws, consistent with thumbs and after a reload', async () => {
    const ann = `user-${randomUUID()}`;
    const binding = await mint(SLUG, ann, 'turn-1');
    const scene = { strict: true, provider: { ...provider, userId: ann }, own: { binding } };
    const { page, render, pressed } = await openReact(version, scene);
    const known = () => page.locator('#own output').textContent();
    const rows = () => storedRows(ann);
    await page.getByRole('button', { name: 'Good' }).click();
    await expect
      .poll(rows)
      .toMatchObject([{ rating: 1, observationId: 'turn-1', linked: true, revision: 0 }]);
    await expect.poll(known).toBe('1');
    await page.getByRole('button', { name: 'Bad' }).click();
    await expect.poll(rows).toMatchObject([{ rating: 0, text: 'Slow', revision: 1 }]);
    await expect.poll(known).toBe('0');
    // A repeat is not a change.
    await page.getByRole('button', { name: 'Bad' }).click();
    await page.getByRole('button', { name: 'Good' }).click();
    await expect.poll(rows).toMatchObject([{ rating: 1, text: null, revision: 2 }]);

    await expect.poll(() => outbox(page)).toEqual([]);
    await page.reload();
    await render({ ...scene, messages: [{ id: 'm1', binding }] });
    await expect.poll(known).toBe('1');
    await expect.poll(pressed).toEqual({ m1: ['Helpful'] });
    await page.getByRole('button', { name: 'Good' }).click();
    await expect.poll(rows).toMatchObject([{ rating: null, withdrawn: true, revision: 3 }]);
    await expect.poll(known).toBe('none');
    await expect.poll(pressed).toEqual({ m1: [] });
  });

  it('shows an early click and stores it for its own message, even if that is gone', async () => {
    const ann = `user-${randomUUID()}`;
    const [one, two] = [await mint(SLUG, ann, 'turn-1'), await mint(SLUG, ann, 'turn-2')];
    const released = Promise.withResolvers<void>();
    const scene = { strict: true, provider: { ...provider, userId: ann } };
    const { page, render } = await openReact(
      version,
      { ...scene, own: { binding: one } },
      {
        prepare: (page) =>
          page.route(/\/react\/own-/, async (route) => {
            await released.promise;
            await route.fallback();
          }),
      },
    );
    const known = () => page.locator('#own output').textContent();
    const good = page.getByRole('button', { name: 'Good' });
    await good.click();
    await expect.poll(known).toBe('1, pending');
    await render({ ...scene, own: { binding: two } });
    await expect.poll(known).toBe('none');
    await good.click();
    await good.click();
    await page.getByRole('button', { name: 'Bad' }).click();
    await expect.poll(known).toBe('0, pending');
    await render(scene);
    await page.locator('#own').waitFor({ state: 'detached' });
    released.resolve();
    const rows = async () =>
      (await storedRows(ann)).toSorted((a, b) => `${a.observationId}`.localeCompare(`${b.observationId}`));
    await expect.poll(rows).toMatchObject([
      { rating: 1, observationId: 'turn-1' },
      { rating: 0, observationId: 'turn-2', text: 'Slow' },
    ]);
    await render({ ...scene, own: { binding: two } });
    await expect.poll(known).toBe('0');
  });

  it('tells what became of each click, and takes wrong ids for nobody', async () => {
    const ann = `user-${randomUUID()}`;
    const binding = await mint(SLUG, ann, 'turn-1');
    const as = (userId: unknown) => ({
      provider: { ...provider, userId: userId as string },
      own: { binding },
    });
    const { page, render, sent } = await openReact(version, as([7]));
    const known = () => page.locator('#own output').textContent();
    const told = () => page.evaluate(() => window.app.seen.delivered);
    await expect.poll(known).toBe('none');
    for (const wrong of ['undefined', ' ', true, Number.NaN, { id: 7 }, ann]) await render(as(wrong));
    // Nobody was signed in before, so the message is hers.
    await page.getByRole('button', { name: 'Good' }).click();
    await expect.poll(told).toEqual(['stored']);
    await expect.poll(() => storedRows(ann)).toMatchObject([{ rating: 1 }]);
    await render({ ...as(ann), own: { binding: null } });
    await page.getByRole('button', { name: 'Bad' }).click();
    await expect.poll(told).toEqual(['stored', 'not-asked']);
    const people = new Set(sent.map(({ body }) => body.userId));
    expect(people.size).toBe(2);
    for (const id of people) expect(id === ann || /^[\d.]+$/.test(`${id}`)).toBe(true);
  });

  it('gives a new message to the new person, and a previous one to nobody', async () => {
    const [ann, ben] = [`user-${randomUUID()}`, `user-${randomUUID()}`];
    const [hers, his] = [await mint(SLUG, ann, 'turn-1'), await mint(SLUG, ben, 'turn-2')];
    const as = (userId: string, binding: typeof hers) => ({
      provider: { ...provider, userId },
      own: { binding },
    });
    const { page, render } = await openReact(version, as(ann, hers));
    const known = () => page.locator('#own output').textContent();
    const good = page.getByRole('button', { name: 'Good' });
    await good.click();
    await expect.poll(known).toBe('1');
    await render(as(ben, hers));
    await expect.poll(known).toBe('none');
    await good.click();
    await render(as(ben, his));
    await good.click();
    await expect.poll(known).toBe('1');
    expect(await storedRows(ben)).toMatchObject([{ rating: 1, observationId: 'turn-2' }]);
    expect(await storedRows(ann)).toMatchObject([{ rating: 1, revision: 0 }]);
  });
});
