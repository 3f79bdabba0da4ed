/** The secrets of a local run, kept in its data folder: show-tokens and suppressions outlive a restart. */

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { SecretSource } from '../shared/crypto/secret-cache.ts';
import { formatTokenRing, parseTokenRing } from '../shared/crypto/token-ring.ts';
import { LocalError } from './local-error.ts';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

const SECRET_BYTES = 32;

const storedSecrets = z.object({ hashSecret: z.string(), tokenRing: z.string() });

/** Both as Secrets Manager holds them, so that a ring can be rotated here as it is there. */
export type StoredSecrets = z.infer<typeof storedSecrets>;

export function secretsFile(folder: string): string {
  return join(folder, 'secrets.json');
}

function freshSecrets(): StoredSecrets {
  const key = { id: randomBytes(4).toString('hex'), secret: randomBytes(SECRET_BYTES), activeFrom: 0 };
  return { hashSecret: randomBytes(SECRET_BYTES).toString('hex'), tokenRing: formatTokenRing([key]) };
}

/** @throws {LocalError} `folder_unusable` when the file is there but cannot be read as what was written */
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

/** Replaces the folder's secrets; a running instance reads them the next time it looks at its ring. */
export function writeStoredSecrets(folder: string, secrets: StoredSecrets): void {
  writePrivateFile(secretsFile(folder), JSON.stringify(secrets));
}

/** Reads the folder's secrets each time, as functions read Secrets Manager; makes them where there are none. */
export function createFolderSecrets(folder: string): SecretSource {
  if (readStoredSecrets(folder) === undefined) writeStoredSecrets(folder, freshSecrets());
  const read = (): StoredSecrets => {
    const stored = readStoredSecrets(folder);
    if (stored === undefined) throw new LocalError('folder_unusable', `${secretsFile(folder)} is gone.`);
    return stored;
  };
  return openSource(read);
}

/** Secrets that are gone with the process. */
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
