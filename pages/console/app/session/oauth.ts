import * as oauth from 'oauth4webapi';
import type * as z from 'zod/mini';
import type { consoleSignIn } from '../../../../shared/contract/routes/console-routes.ts';
import type { Credentials } from './ask.ts';

/** See docs/contract.md §20.2. */
export type SignInOffer = z.output<ReturnType<(typeof consoleSignIn)['success']['schema']>>;

export interface Begun {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly hash: string;
}

const redirectUri = (): string => location.origin + location.pathname;

/** The service refuses longer tokens (docs/contract.md §20.2). */
const MOST_CHARACTERS = 8_192;

const TOO_MANY_GROUPS =
  'You belong to too many groups to sign in. Ask your administrator to use an app role instead, with --console-groups-claim roles.';

/** The service accepts the same ones (functions/identity/provider-token.ts). */
const ALGORITHMS = ['RS256', 'ES256'];

const serverOf = ({ issuer, authorizationEndpoint, tokenEndpoint }: SignInOffer) => ({
  issuer,
  authorization_endpoint: authorizationEndpoint,
  token_endpoint: tokenEndpoint,
  id_token_signing_alg_values_supported: ALGORITHMS,
});

export async function askProvider(
  offer: SignInOffer,
): Promise<Omit<Begun, 'hash'> & { readonly address: string }> {
  const [state, nonce, verifier] = [
    oauth.generateRandomState(),
    oauth.generateRandomNonce(),
    oauth.generateRandomCodeVerifier(),
  ];
  const address = new URL(offer.authorizationEndpoint);
  const asked = {
    client_id: offer.clientId,
    redirect_uri: redirectUri(),
    response_type: 'code',
    scope: offer.scope,
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value);
  return { address: address.href, state, nonce, verifier };
}

function nameIn({ email, preferred_username: name, sub }: oauth.IDToken): string {
  return [email, name].find((each) => typeof each === 'string') ?? sub;
}

/** Returns a message for the person if the provider's answer is not valid. */
export async function redeem(
  offer: SignInOffer,
  answer: URLSearchParams,
  { state, nonce, verifier }: Begun,
): Promise<Credentials | string> {
  const [server, client] = [serverOf(offer), { client_id: offer.clientId }];
  // The admin command accepts http issuers only on the local machine.
  const options = { [oauth.allowInsecureRequests]: offer.tokenEndpoint.startsWith('http:') };
  try {
    const parameters = oauth.validateAuthResponse(server, client, answer, state);
    const reply = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      parameters,
      redirectUri(),
      verifier,
      options,
    );
    const expected = { expectedNonce: nonce, requireIdToken: true };
    const redeemed = await oauth.processAuthorizationCodeResponse(server, client, reply, expected);
    const claims = oauth.getValidatedIdTokenClaims(redeemed);
    const { id_token: token } = redeemed;
    if (token === undefined || claims === undefined)
      return 'Your sign-in provider did not confirm who you are. Sign in again.';
    const isCut = '_claim_names' in claims || 'hasgroups' in claims;
    if (isCut || token.length > MOST_CHARACTERS) return TOO_MANY_GROUPS;
    return { kind: 'person', token, name: nameIn(claims) };
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError)
      return 'Your sign-in provider did not sign you in. Sign in again, or ask your administrator.';
    return 'The sign-in did not finish because your sign-in provider’s reply did not match the request. Sign in again.';
  }
}
