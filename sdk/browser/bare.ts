/** What is fetched when a survey is about to be shown, or an answer waits to be sent, and thumbs have brought the kit. */

import { presentWith } from './ask-view.ts';
import { askingOf } from './asking.ts';
import type { Asking, Client } from './parts.ts';

export async function createAsking(client: Client): Promise<Asking> {
  const { load } = client;
  const { kit } = await load('kit');
  return askingOf(client, kit, async ({ type }) => {
    const view = type === 'thumbs' ? await load('asked') : { presentWith };
    return view.presentWith(kit);
  });
}
