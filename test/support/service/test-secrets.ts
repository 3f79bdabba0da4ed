import type { HashSecret, SecretSource } from '../../../shared/crypto/secret-cache.ts';
import type { TokenKey } from '../../../shared/crypto/token-ring.ts';

export const TEST_TOKEN_KEY: TokenKey = { id: '00000001', secret: new Uint8Array(32).fill(7), activeFrom: 0 };
export const TEST_HASH_SECRET = new Uint8Array(32).fill(9);

export const TEST_HASHING: HashSecret = { hashSecret: async () => TEST_HASH_SECRET };

export function createTestSecrets(ring: readonly TokenKey[] = [TEST_TOKEN_KEY]): SecretSource {
  return {
    readHashSecret: async () => TEST_HASH_SECRET,
    readTokenRing: async () => ring,
  };
}
