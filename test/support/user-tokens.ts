/** Users' tokens as a project's server or its identity provider signs them. */

import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';
import { listen } from '../../local/listen.ts';
import { IDENTITY_NONCE_BYTES, sealIdentitySecret } from '../../shared/crypto/identity-secret.ts';
import { createIdentitySecretStore } from '../../shared/data/projects/identity-secrets.ts';
import { anId } from './builders.ts';
import { START } from './test-clock.ts';
import { TEST_HASH_SECRET } from './test-secrets.ts';
import type { Tenant, TestService } from './test-service.ts';

type Claims = Readonly<Record<string, unknown>>;

/** In seconds, an hour after the test's clock began. */
export const SOON = START / 1_000 + 3_600;

/** A secret of the tenant's project, as the command line makes it. */
export async function identitySecretOf({ table }: TestService, { project }: Tenant): Promise<string> {
  const id = anId();
  const secret = randomBytes(32).toString('base64url');
  const nonce = randomBytes(IDENTITY_NONCE_BYTES);
  const sealed = sealIdentitySecret(TEST_HASH_SECRET, project.id, { id, secret, nonce });
  const createdAt = '2026-11-20T00:00:00.000Z';
  const outcome = await createIdentitySecretStore(table.table).add(project.id, { id, createdAt, sealed });
  if (outcome !== 'added') throw new Error(outcome);
  return secret;
}

export function hs256(secret: string, claims: Claims, alg = 'HS256'): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg, typ: 'JWT' }).sign(new TextEncoder().encode(secret));
}

/** An identity provider with a key of its own, serving its JWKS over loopback until the test has finished. */
export async function startProvider(alg: 'RS256' | 'ES256' = 'RS256') {
  let isDown = false;
  let requests = 0;
  let kid = '';
  let signingKey: CryptoKey;
  const keys: JWK[] = [];
  async function rotate(): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    signingKey = privateKey;
    kid = anId();
    keys.splice(0, keys.length, { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' });
  }
  await rotate();
  const server = createServer((_request, response) => {
    requests++;
    response.statusCode = isDown ? 503 : 200;
    response.end(isDown ? '<html>' : JSON.stringify({ keys }));
  });
  const jwks = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}/keys`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    provider: { jwks, issuer: 'https://issuer.example', audience: 'shop' },
    keys,
    rotate,
    goDown: (down = true) => {
      isDown = down;
    },
    requests: () => requests,
    sign: (claims: Claims, header: { kid?: string } = {}) =>
      new SignJWT({ iss: 'https://issuer.example', aud: 'shop', exp: SOON, ...claims })
        .setProtectedHeader({ alg, kid, ...header })
        .sign(signingKey),
  };
}
