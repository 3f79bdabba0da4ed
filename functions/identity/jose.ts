/** Without imports of ours, this is a chunk loaded only to verify tokens. */

export { JWKSNoMatchingKey } from 'jose/errors';
export { createLocalJWKSet } from 'jose/jwks/local';
export { jwtVerify } from 'jose/jwt/verify';
