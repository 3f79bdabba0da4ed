/** OpenID Connect Discovery 1.0. */

import * as z from 'zod/mini';
import { readJson } from '../../../functions/identity/jwks-cache.ts';
import type { ConsoleProvider } from '../../../shared/domain/console.ts';
import { type AdminError, failure } from '../admin-error.ts';

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

export function isSafe(text: string, { loopback }: { readonly loopback: boolean }): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '') return false;
  return url.protocol === 'https:' || (loopback && url.protocol === 'http:' && LOOPBACK.has(url.hostname));
}

const texts = z.optional(z.array(z.string()));
const discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.string(),
  scopes_supported: texts,
  response_types_supported: texts,
  id_token_signing_alg_values_supported: texts,
  code_challenge_methods_supported: texts,
});
type Discovery = z.output<typeof discovery>;

/** See functions/identity/provider-token.ts. */
const ALGORITHMS = ['RS256', 'ES256'];
const SCOPES = ['openid', 'email', 'profile', 'groups'];

function scopeOf({ scopes_supported: known = ['openid', 'email', 'profile'] }: Discovery): string {
  return SCOPES.filter((scope) => scope === 'openid' || known.includes(scope)).join(' ');
}

const lacks = (listed: readonly string[] | undefined, ...wanted: readonly string[]): boolean =>
  listed !== undefined && !wanted.some((each) => listed.includes(each));

function problemOf(found: Discovery, issuer: string): string | undefined {
  if (found.issuer !== issuer) return `its issuer is "${found.issuer}"; use exactly that value`;
  const loopback = issuer.startsWith('http:');
  const { authorization_endpoint, token_endpoint, jwks_uri } = found;
  const unsafe = Object.entries({ authorization_endpoint, token_endpoint, jwks_uri }).find(
    ([, address]) => !isSafe(address, { loopback }),
  );
  if (unsafe !== undefined) return `its ${unsafe[0]} is not an https address`;
  if (lacks(found.response_types_supported, 'code')) return 'it does not support the authorization code flow';
  if (lacks(found.code_challenge_methods_supported, 'S256')) return 'it does not support PKCE with S256';
  if (lacks(found.id_token_signing_alg_values_supported, ...ALGORITHMS))
    return `it signs ID tokens with neither ${ALGORITHMS.join(' nor ')}`;
  return undefined;
}

const unread = (address: string, problem: string): AdminError =>
  failure(`The provider cannot be used: ${problem} (${address}).`);

export async function readDiscovery(issuer: string, clientId: string): Promise<ConsoleProvider> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const document = await readJson(fetch, address).catch((error: unknown) => {
    const { message, cause } = error instanceof Error ? error : new Error(String(error));
    const why = cause instanceof Error && cause.message !== '' ? cause.message : message;
    throw unread(address, `its metadata cannot be read: ${why}`);
  });
  const parsed = z.safeParse(discovery, document);
  if (!parsed.success) {
    const fields = parsed.error.issues.map(({ path }) => path.join('.')).join(', ');
    throw unread(address, `its metadata is not valid: ${fields || 'not an object'}`);
  }
  const problem = problemOf(parsed.data, issuer);
  if (problem !== undefined) throw unread(address, problem);
  const { authorization_endpoint, token_endpoint, jwks_uri } = parsed.data;
  return {
    issuer,
    clientId,
    authorizationEndpoint: authorization_endpoint,
    tokenEndpoint: token_endpoint,
    jwks: jwks_uri,
    scope: scopeOf(parsed.data),
  };
}
