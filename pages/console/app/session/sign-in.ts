/**
 * Uses the authorization code flow with PKCE (decision 140). The tab stores the request until its only answer arrives.
 * Tokens are not refreshed.
 */

import { addressOf, type Credentials } from './ask.ts';
import type { Begun, SignInOffer } from './oauth.ts';
import { hasTexts, keep, PROJECT, recallAs } from './tab.ts';

export async function readOffer(): Promise<SignInOffer | undefined> {
  try {
    const reply = await fetch(addressOf('/v1/console/sign-in', { project: PROJECT }), { cache: 'no-store' });
    const body = await reply.json();
    return reply.ok ? body : undefined;
  } catch {
    return undefined;
  }
}

const BEGUN = 'sign-in';

export interface ProviderAnswer {
  readonly parameters: URLSearchParams;
  /** Undefined if this tab did not start the sign-in. */
  readonly begun: Begun | undefined;
}

const isBegun = (value: unknown): value is Begun => hasTexts(value, 'state', 'nonce', 'verifier', 'hash');

export function takeAnswer(): ProviderAnswer | undefined {
  const parameters = new URLSearchParams(location.search);
  if (!parameters.has('state') && !parameters.has('code') && !parameters.has('error')) return undefined;
  const begun = recallAs(BEGUN, isBegun);
  keep(BEGUN, null);
  history.replaceState(null, '', location.pathname + (begun?.hash ?? '#/'));
  return { parameters, begun };
}

export async function beginSignIn(offer: SignInOffer): Promise<void> {
  const { askProvider } = await import('./oauth.ts');
  const { address, ...begun } = await askProvider(offer);
  keep(BEGUN, JSON.stringify({ ...begun, hash: location.hash }));
  location.assign(address);
}

/** Returns a message for the person if the sign-in fails. */
export async function finishSignIn(
  { parameters, begun }: ProviderAnswer,
  offer: SignInOffer | undefined,
): Promise<Credentials | string> {
  if (begun === undefined) return 'This sign-in was not started in this tab. Sign in again here.';
  if (offer === undefined) return 'The sign-in settings did not load. Reload the page to sign in.';
  const { redeem } = await import('./oauth.ts');
  return redeem(offer, parameters, begun);
}
