/** This file imports no other source file, so it becomes a chunk that is loaded only to verify tokens. */

export { JWKSNoMatchingKey } from 'jose/errors';
export { createLocalJWKSet } from 'jose/jwks/local';
export { jwtVerify } from 'jose/jwt/verify';
