/**
 * Signing in with the company's OpenID provider, by authorization code with PKCE (decision 140). What a sign-in is begun
 * with stays in the tab until the provider's answer comes, once. Nothing is refreshed.
 */

import { addressOf } from './ask.ts';
import type { Credentials } from './credentials.ts';
import type { Begun, SignInOffer } from './oauth.ts';
import { keep, PROJECT, recall } from './tab.ts';

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

const BEGUN = 'sign-in';

/** What the provider said, taken out of the address. */
export interface ProviderAnswer {
  readonly parameters: URLSearchParams;
  /** Undefined where this tab has begun no sign-in: the address came from somebody else. */
  readonly begun: Begun | undefined;
}

const has = <Name extends string>(value: object, name: Name): value is Record<Name, string> =>
  name in value && typeof new Map<string, unknown>(Object.entries(value)).get(name) === 'string';

function recallBegun(): Begun | undefined {
  const begun: unknown = JSON.parse(recall(BEGUN) ?? 'null');
  if (typeof begun !== 'object' || begun === null) return undefined;
  if (!has(begun, 'state') || !has(begun, 'nonce') || !has(begun, 'verifier') || !has(begun, 'hash'))
    return undefined;
  return begun;
}

/** The provider's answer in the address. It leaves the address and the history before anything else happens. */
export function takeAnswer(): ProviderAnswer | undefined {
  const parameters = new URLSearchParams(location.search);
  if (!parameters.has('state') && !parameters.has('code') && !parameters.has('error')) return undefined;
  const begun = recallBegun();
  keep(BEGUN, null);
  history.replaceState(null, '', location.pathname + (begun?.hash ?? '#/'));
  return { parameters, begun };
}

/** Leaves for the provider. What somebody was typing is kept in the tab by what shows it. */
export async function beginSignIn(offer: SignInOffer): Promise<void> {
  const { askProvider } = await import('./oauth.ts');
  const { address, ...begun } = await askProvider(offer);
  keep(BEGUN, JSON.stringify({ ...begun, hash: location.hash }));
  location.assign(address);
}

/** @returns who is signed in, or why nobody is */
export async function finishSignIn(
  { parameters, begun }: ProviderAnswer,
  offer: SignInOffer | undefined,
): Promise<Credentials | string> {
  if (begun === undefined) return 'This sign-in was not started in this tab. Sign in here.';
  if (offer === undefined) return 'The service did not return its sign-in settings. Sign in again.';
  const { redeem } = await import('./oauth.ts');
  return redeem(offer, parameters, begun);
}
