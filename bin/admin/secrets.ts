import { readStoredSecrets, type StoredSecrets, writeStoredSecrets } from '../../local/local-secrets.ts';
import { formatTokenRing, parseTokenRing, type TokenRing } from '../../shared/crypto/token-ring.ts';
import { readSecretAsOperator, writeSecretAsOperator } from '../../shared/data/aws/operator-access.ts';
import { failure } from './admin-error.ts';
import type { Deployment } from './deployment.ts';

type Origin = Deployment['origin'];

interface TokenRingStore {
  read(): Promise<TokenRing>;
  write(ring: TokenRing): Promise<void>;
}

/** @throws AdminError when the instance uses `--memory` */
function storedIn(folder: string): StoredSecrets {
  const stored = readStoredSecrets(folder);
  if (stored !== undefined) return stored;
  throw failure(
    `There are no secrets in ${folder}. An instance that runs with --memory keeps its secrets in memory.`,
  );
}

/** @throws AdminError when it cannot be read */
export async function readHashSecret(origin: Origin): Promise<Uint8Array> {
  if (origin.kind === 'stack')
    return Buffer.from(await readSecretAsOperator(origin.output('HashSecretName')));
  return Buffer.from(origin.hashSecret ?? storedIn(origin.folder).hashSecret);
}

/** @throws AdminError when it cannot be read */
export function createTokenRingStore(origin: Origin): TokenRingStore {
  if (origin.kind === 'stack') {
    const name = origin.output('TokenRingName');
    return {
      read: async () => parseTokenRing(await readSecretAsOperator(name)),
      write: (ring) => writeSecretAsOperator(name, formatTokenRing(ring)),
    };
  }
  const stored = storedIn(origin.folder);
  return {
    read: async () => parseTokenRing(stored.tokenRing),
    write: async (ring) => writeStoredSecrets(origin.folder, { ...stored, tokenRing: formatTokenRing(ring) }),
  };
}
