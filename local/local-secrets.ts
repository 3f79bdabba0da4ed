/** Secrets are stored, because show-tokens and suppressions must survive a restart. */

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { SecretSource } from '../shared/crypto/secret-cache.ts';
import { formatTokenRing, parseTokenRing } from '../shared/crypto/token-ring.ts';
import { readPrivateFile, writePrivateFile } from './data-folder.ts';
import { LocalError } from './local-error.ts';

const SECRET_BYTES = 32;

const storedSecrets = z.object({ hashSecret: z.string(), tokenRing: z.string() });

/** The same format as in Secrets Manager, so that the key ring can be rotated. */
export type StoredSecrets = z.infer<typeof storedSecrets>;

export function secretsFile(folder: string): string {
  return join(folder, 'secrets.json');
}

function freshSecrets(): StoredSecrets {
  const key = { id: randomBytes(4).toString('hex'), secret: randomBytes(SECRET_BYTES), activeFrom: 0 };
  return { hashSecret: randomBytes(SECRET_BYTES).toString('hex'), tokenRing: formatTokenRing([key]) };
}

/** @throws {LocalError} `folder_unusable` for a damaged file */
export function readStoredSecrets(folder: string): StoredSecrets | undefined {
  try {
    const text = readPrivateFile(secretsFile(folder));
    return text === undefined ? undefined : storedSecrets.parse(JSON.parse(text));
  } catch (cause) {
    throw new LocalError(
      'folder_unusable',
      `${secretsFile(folder)} is damaged; without it no token or suppression of this folder holds.`,
      { cause },
    );
  }
}

/** Instances notice the change when they next read the ring. */
export function writeStoredSecrets(folder: string, secrets: StoredSecrets): void {
  writePrivateFile(secretsFile(folder), JSON.stringify(secrets));
}

/** Reads the file each time, as functions read the secret. */
export function createFolderSecrets(folder: string): SecretSource {
  if (readStoredSecrets(folder) === undefined) writeStoredSecrets(folder, freshSecrets());
  const read = (): StoredSecrets => {
    const stored = readStoredSecrets(folder);
    if (stored === undefined) throw new LocalError('folder_unusable', `${secretsFile(folder)} is gone.`);
    return stored;
  };
  return openSource(read);
}

export function createMemorySecrets(): SecretSource {
  const stored = freshSecrets();
  return openSource(() => stored);
}

function openSource(read: () => StoredSecrets): SecretSource {
  return {
    readHashSecret: async () => Buffer.from(read().hashSecret),
    readTokenRing: async () => parseTokenRing(read().tokenRing),
  };
}
