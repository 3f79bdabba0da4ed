import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { outbox } from '../browser/support/delivery.ts';
import { storedRows, useShops } from '../browser/support/shop.ts';
import { VERSIONS } from './support/bundle.ts';
import { mint, openReact, provider } from './support/react-page.ts';

useShops();

const SLUG = 'thumbs-inline';
const user = () => `user-${randomUUID()}`;
const as = (userId: string) => ({ ...provider, userId });

describe.each(VERSIONS)('with React %i', (version) => {
  it('rates two messages separately by session and turn, and restores both after a reload', async () => {
    const ann = user();
    const [one, two] = [await mint(SLUG, ann, 'turn-1'), await mint(SLUG, ann, 'turn-2')];
    const messages = [
      { id: 'm1', binding: one },
      { id: 'm2', binding: two },
    ];
    const scene = { strict: true, provider: as(ann), messages };
    const { page, thumb, pressed, render } = await openReact(version, scene);
    await thumb('m1', 'Helpful').click();
    await thumb('m2', 'Not helpful').click();
    const rows = [
      { rating: 1, sessionId: 'session-1', observationId: 'turn-1', linked: true },
      { rating: 0, sessionId: 'session-1', observationId: 'turn-2', linked: true },
    ];
    const stored = async () =>
      (await storedRows(ann)).toSorted((a, b) => `${a.observationId}`.localeCompare(`${b.observationId}`));
    await expect.poll(stored).toMatchObject(rows);
    // If the page is left before the reply arrives, the next page sends a revision.
    await expect.poll(() => outbox(page)).toEqual([]);
    await page.reload();
    await render(scene);
    await expect.poll(pressed).toEqual({ m1: ['Helpful'], m2: ['Not helpful'] });
    await thumb('m1', 'Not helpful').click();
    await expect.poll(stored).toMatchObject([{ rating: 0, revision: 1 }, rows[1]]);
  });

  it('draws one pair of thumbs per message under StrictMode, even if mounted later', async () => {
    const ann = user();
    const [one, two] = [
      { id: 'm1', binding: await mint(SLUG, ann) },
      { id: 'm2', binding: await mint(SLUG, ann) },
    ];
    const scene = { strict: true, provider: as(ann) };
    const { page, thumb, render } = await openReact(version, { ...scene, messages: [one] });
    await thumb('m1', 'Helpful').waitFor();
    await render({ ...scene, messages: [one, two] });
    await thumb('m2', 'Helpful').waitFor();
    expect(await page.locator('canvass-survey').count()).toBe(2);
  });

  it('keeps thumbs and written words for an equal binding', async () => {
    const ann = user();
    const binding = await mint(SLUG, ann);
    const scene = (): Parameters<typeof render>[0] => ({
      provider: as(ann),
      messages: [{ id: 'm1', binding: { ...binding } }],
    });
    const { page, thumb, render } = await openReact(version, {
      provider: as(ann),
      messages: [{ id: 'm1', binding }],
    });
    await thumb('m1', 'Not helpful').click();
    const words = page.getByRole('textbox', { name: 'What was missing?' });
    await words.fill('The price');
    await render(scene());
    await render(scene());
    expect(await words.inputValue()).toBe('The price');
  });

  it('draws new thumbs for another binding', async () => {
    const ann = user();
    const [one, two] = [await mint(SLUG, ann), await mint(SLUG, ann)];
    const scene = (binding: typeof one | null) => ({ provider: as(ann), messages: [{ id: 'm1', binding }] });
    const { page, thumb, pressed, render } = await openReact(version, scene(null));
    await page.getByText('ready').waitFor();
    expect(await page.locator('canvass-survey').count()).toBe(0);
    await render(scene(one));
    await thumb('m1', 'Helpful').click();
    await expect.poll(pressed).toEqual({ m1: ['Helpful'] });
    await render(scene(two));
    await expect.poll(pressed).toEqual({ m1: [] });
    await thumb('m1', 'Helpful').waitFor();
    await render(scene(one));
    await expect.poll(pressed).toEqual({ m1: ['Helpful'] });
    await render(scene(null));
    await expect.poll(() => page.locator('canvass-survey').count()).toBe(0);
  });

  it('does not draw late thumbs for a previous binding', async () => {
    const ann = user();
    const [one, two] = [await mint(SLUG, ann), await mint(SLUG, ann)];
    const released = Promise.withResolvers<void>();
    const { page, requests, thumb, render } = await openReact(
      version,
      { provider: as(ann), messages: [{ id: 'm1', binding: one }] },
      {
        prepare: (page) =>
          page.route('**/v1/sdk/bootstrap', async (route) => {
            await released.promise;
            await route.continue();
          }),
      },
    );
    await expect.poll(() => requests).toHaveLength(1);
    const messages = [
      { id: 'm1', binding: null },
      { id: 'm2', binding: two },
    ];
    await render({ provider: as(ann), messages });
    await page.locator('#m2').waitFor({ state: 'attached' });
    released.resolve();
    await thumb('m2', 'Helpful').waitFor();
    expect(await page.locator('canvass-survey').count()).toBe(1);
  });

  it('shows the rating after unmounting and mounting again', async () => {
    const ann = user();
    const messages = [{ id: 'm1', binding: await mint(SLUG, ann) }];
    const { page, thumb, pressed, render } = await openReact(version, { provider: as(ann), messages });
    await thumb('m1', 'Helpful').click();
    await render({ provider: as(ann) });
    await expect.poll(() => page.locator('canvass-survey').count()).toBe(0);
    await render({ provider: as(ann), messages });
    await expect.poll(pressed).toEqual({ m1: ['Helpful'] });
    // Also removes the provider and its client.
    await render({});
    await expect.poll(pressed).toEqual({});
    await render({ provider: as(ann), messages });
    await expect.poll(pressed).toEqual({ m1: ['Helpful'] });
    await expect.poll(() => storedRows(ann)).toMatchObject([{ rating: 1 }]);
  });
});
