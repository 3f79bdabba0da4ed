import { askerOf } from '../client/asker.ts';
import type { Asker, Client } from '../client/modules.ts';
import { presentWith } from './scale-view.ts';

export async function mount(client: Client): Promise<Asker> {
  const { load } = client;
  const { kit } = await load('kit');
  return askerOf(client, kit, async ({ type }) => {
    const view = type === 'thumbs' ? await load('asked') : { presentWith };
    return view.presentWith(kit);
  });
}
