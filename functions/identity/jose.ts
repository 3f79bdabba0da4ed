/** What is used of jose, imported only when a token is verified: a module that imports nothing of ours stays apart. */

export { JWKSNoMatchingKey } from 'jose/errors';
export { createLocalJWKSet } from 'jose/jwks/local';
export { jwtVerify } from 'jose/jwt/verify';
