/** How people sign in to this project, as the service tells everybody (docs/contract.md §20.2). */

import type * as z from 'zod/mini';
import type { signInReply } from '../../../../shared/contract/console-schemas.ts';
import { addressOf } from './ask.ts';
import { PROJECT } from './tab.ts';

export type SignInOffer = z.output<ReturnType<typeof signInReply>>;

/** Undefined where nobody signs in, or the service does not say. */
export async function readOffer(): Promise<SignInOffer | undefined> {
  try {
    const reply = await fetch(addressOf('/v1/console/sign-in', { project: PROJECT }), { cache: 'no-store' });
    const said = await reply.json();
    return reply.ok ? said : undefined;
  } catch {
    return undefined;
  }
}
