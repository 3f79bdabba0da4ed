/** The secrets of a deployment, for commands that find people by their keyed hashes. */

import { createFolderSecrets, readStoredSecrets } from '../../local/local-secrets.ts';
import type { SecretSource } from '../../shared/crypto/secret-source.ts';
import { readSecretAsOperator } from '../../shared/data/aws/operator-secrets.ts';
import { createSecretsManagerSource } from '../../shared/data/aws/secrets-manager.ts';
import { failure } from './admin-error.ts';
import type { Deployment } from './deployment.ts';

/** @throws AdminError when the instance keeps its secrets to itself */
export function openSecrets({ origin }: Deployment): SecretSource {
  if (origin.kind === 'stack') {
    const hashSecretId = origin.outputs.get('HashSecretName') ?? '';
    const tokenRingId = origin.outputs.get('TokenRingName') ?? '';
    return createSecretsManagerSource({ hashSecretId, tokenRingId }, readSecretAsOperator);
  }
  if (readStoredSecrets(origin.folder) === undefined) {
    throw failure('An instance that runs with --memory keeps its secrets to itself; run it without.');
  }
  return createFolderSecrets(origin.folder);
}
