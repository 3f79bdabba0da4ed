/** Buttons of a React page's own, under both versions of React, stored at the real service. */

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { outbox } from '../browser/support/delivery.ts';
import { storedRows, useShops } from '../browser/support/shop.ts';
import { VERSIONS } from './support/bundle.ts';
import { mint, openReact, provider } from './support/react-page.ts';

useShops();

const SLUG = 'thumbs-inline';

describe.each(VERSIONS)('with React %i', (version) => {
  it('rate, change and take back; a reload and thumbs for the same message know it', async () => {
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
    // The same again is no change.
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
});
