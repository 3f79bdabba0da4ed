import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { eventually } from './patience.ts';
import { type Row, type Shop, storedRows } from './shop.ts';

export const RESPONSES = '**/v1/sdk/responses';

export async function answer({ region, radio, send }: Shop, rating = 9): Promise<void> {
  await radio(rating).click();
  await send().click();
  await region.getByText('Thank you!').waitFor();
}

export const outbox = (page: Page): Promise<unknown[]> =>
  page.evaluate(
    () =>
      JSON.parse(Object.entries(localStorage).find(([name]) => name.startsWith('canvass.'))?.[1] ?? '{}')
        .outbox ?? [],
  );

export const posts = ({ requests }: Shop): number =>
  requests.filter((request) => request.endsWith('/responses')).length;

export async function rowsOf({ user }: Shop, count: number): Promise<Row[]> {
  await eventually(async () => expect(await storedRows(user)).toHaveLength(count));
  return storedRows(user);
}
