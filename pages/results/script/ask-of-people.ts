/** Questions about people: who is refused one is not asked again in the same name. */

import { type Asker, type Query, Refused } from './ask.ts';

/** Whether people may be shown to the person who asks, as far as the service has said; a refusal counts towards the rate of strangers. */
const showsPeople = new WeakMap<Asker, boolean>();

export const isKnownToShowPeople = (asker: Asker): boolean => showsPeople.has(asker);

/** @throws Refused without asking once it was refused: 401 to a key, 403 to somebody signed in */
export async function askOfPeople<Reply>(asker: Asker, path: string, query: Query): Promise<Reply> {
  if (showsPeople.get(asker) === false) throw new Refused(401, '');
  try {
    const reply = await asker.ask<Reply>(path, query);
    showsPeople.set(asker, true);
    return reply;
  } catch (error) {
    if (!(error instanceof Refused) || ![401, 403].includes(error.status)) throw error;
    showsPeople.set(asker, false);
    throw new Refused(401, error.message);
  }
}
