import { createHash, randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import Provider, { type Context } from 'oidc-provider';
import { serveInTest } from '../serve.ts';

type Claims = Readonly<Record<string, unknown>>;

const SCOPE = 'openid email profile groups';
const REDIRECT = 'https://surveys.example.com/console/ID';

const base64url = (bytes: Buffer): string => bytes.toString('base64url');

async function signingKey(alg: string) {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), alg, use: 'sig', kid: base64url(randomBytes(6)) };
}

const client = (client_id: string, redirectUri: string, alg = 'RS256') => ({
  client_id,
  redirect_uris: [redirectUri],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code'],
  response_types: ['code'],
  id_token_signed_response_alg: alg,
});

function createBrowser() {
  const cookies = new Map<string, string>();
  return async (url: string): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const set of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    return reply;
  };
}

/**
 * @param lifetime of ID tokens, in seconds
 * @param redirectUri for sign-ins in a browser
 */
export async function startOpenidProvider(
  accounts: Readonly<Record<string, Claims>>,
  lifetime = 3_600,
  redirectUri = REDIRECT,
) {
  let who = '';
  let answer: RequestListener = (_request, response) => void response.writeHead(503).end();
  const issuer = await serveInTest((request, response) => answer(request, response));
  const provider: Provider = new Provider(issuer, {
    clients: [client('console', redirectUri), client('shop', REDIRECT), client('curve', REDIRECT, 'ES256')],
    jwks: { keys: [await signingKey('RS256'), await signingKey('ES256')] },
    cookies: { keys: [base64url(randomBytes(16))] },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['preferred_username'],
      groups: ['groups', 'roles', 'hasgroups', '_claim_names'],
    },
    scopes: SCOPE.split(' '),
    conformIdTokenClaims: false,
    // The page redeems its code itself.
    clientBasedCORS: () => true,
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/sign-in/${uid}` },
    ttl: { IdToken: lifetime, AccessToken: 60, Grant: 60, Session: 60, Interaction: 60 },
    findAccount: (_context: unknown, sub: string) => ({
      accountId: sub,
      claims: async () => ({ sub, ...accounts[sub] }),
    }),
    async loadExistingGrant({ oidc }: Context) {
      const of = { clientId: oidc.client.clientId, accountId: oidc.session.accountId };
      const grant = new provider.Grant(of);
      grant.addOIDCScope(SCOPE);
      await grant.save();
      return grant;
    },
  });
  const callback = provider.callback();
  answer = (request, response) => {
    if (!request.url?.startsWith('/sign-in/')) return callback(request, response);
    return void provider.interactionFinished(request, response, { login: { accountId: who } });
  };

  async function signIn(sub: string, clientId = 'console'): Promise<string> {
    who = sub;
    const browse = createBrowser();
    const verifier = base64url(randomBytes(32));
    const asked = {
      client_id: clientId,
      redirect_uri: REDIRECT,
      response_type: 'code',
      scope: SCOPE,
      state: base64url(randomBytes(8)),
      nonce: base64url(randomBytes(8)),
      code_challenge: base64url(createHash('sha256').update(verifier).digest()),
      code_challenge_method: 'S256',
    };
    let url = `${issuer}/auth?${new URLSearchParams(asked)}`;
    while (!url.startsWith(REDIRECT)) {
      const location = (await browse(url)).headers.get('location');
      if (location === null) throw new Error(`nothing follows on ${url}`);
      url = new URL(location, url).href;
    }
    const code = new URL(url).searchParams.get('code');
    if (code === null) throw new Error(`no code in ${url}`);
    const reply = await fetch(`${issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: clientId,
        redirect_uri: REDIRECT,
        code,
        code_verifier: verifier,
      }),
    });
    const { id_token: token } = JSON.parse(await reply.text());
    if (typeof token !== 'string') throw new Error(`no token: ${reply.status}`);
    return token;
  }

  const choose = (sub: string): void => {
    who = sub;
  };

  return { issuer, signIn, choose };
}
