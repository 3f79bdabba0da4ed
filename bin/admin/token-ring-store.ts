/** Where a deployment keeps its token ring: a secret of the stack, or the data folder of the local instance. */

import { readStoredSecrets, writeStoredSecrets } from '../../local/local-secrets.ts';
import type { TokenRing } from '../../shared/crypto/token-ring.ts';
import { formatTokenRing, parseTokenRing } from '../../shared/crypto/token-ring-json.ts';
import { readSecretAsOperator, writeSecretAsOperator } from '../../shared/data/aws/operator-secrets.ts';
import { failure } from './admin-error.ts';
import type { Deployment } from './deployment.ts';

interface TokenRingStore {
  read(): Promise<TokenRing>;
  write(ring: TokenRing): Promise<void>;
}

/** @throws AdminError when the deployment keeps no ring that could be reached */
export function tokenRingStore({ origin }: Pick<Deployment, 'origin'>): TokenRingStore {
  if (origin.kind === 'stack') {
    const name = origin.outputs.get('TokenRingName');
    if (name === undefined) throw failure('The stack has no output TokenRingName: it is none of Canvass.');
    return {
      read: async () => parseTokenRing(await readSecretAsOperator(name)),
      write: (ring) => writeSecretAsOperator(name, formatTokenRing(ring)),
    };
  }
  const stored = readStoredSecrets(origin.folder);
  if (stored === undefined) {
    throw failure(
      `There are no secrets in ${origin.folder}: an instance run with --memory keeps them to itself.`,
    );
  }
  return {
    read: async () => parseTokenRing(stored.tokenRing),
    write: async (ring) => writeStoredSecrets(origin.folder, { ...stored, tokenRing: formatTokenRing(ring) }),
  };
}
