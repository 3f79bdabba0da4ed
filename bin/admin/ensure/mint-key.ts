/**
 * Keeps one working mint key in a secret, even with concurrent or interrupted runs. The secret is written before the
 * table, so an interrupted run can be completed. Each version id derives from the one it replaces, so the first writer
 * wins (decision 127).
 */

import { createHash } from 'node:crypto';
import { projects } from '../../../functions/runtime/parts/projects.ts';
import { checkAccessKey, parseAccessKey } from '../../../shared/crypto/access-key.ts';
import { readVersionAsOperator, writeVersionAsOperator } from '../../../shared/data/aws/operator-access.ts';
import { deriveKeyId } from '../../../shared/domain/ids.ts';
import type { KeyScope, ProjectKey } from '../../../shared/domain/project.ts';
import { failure } from '../admin-error.ts';
import type { Session } from '../session.ts';

const SCOPES: readonly KeyScope[] = ['mint'];

/** Secrets Manager is eventually consistent. */
const ATTEMPTS = 8;
const PAUSE_MS = 250;

function nextVersionId(projectId: string, versionId: string): string {
  const digits = createHash('sha256').update(`mint key\0${projectId}\0${versionId}`).digest('hex');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

/** @throws AdminError for anything but a key of this project */
function keyIn(text: string, secretId: string, projectId: string, session: Session, hashSecret: Uint8Array) {
  const claimed = parseAccessKey(session.deployment.keyAbbreviation, text);
  const presented = claimed && checkAccessKey(hashSecret, claimed);
  if (presented?.kind !== 'secret')
    throw failure(
      `The secret ${secretId} holds something other than a secret key of this deployment. Use an empty secret, or empty this one.`,
    );
  if (presented.projectId !== projectId)
    throw failure(
      `The secret ${secretId} holds a key of project ${presented.projectId}. Use another secret.`,
    );
  return presented;
}

/** Adds a key to the table if only the secret has it. */
async function completed(session: Session, projectId: string, hash: string): Promise<ProjectKey | undefined> {
  const find = async () => (await session.record(projectId)).keys.find((key) => key.hash === hash);
  const known = await find();
  if (known !== undefined) return known;
  const createdAt = new Date(session.now()).toISOString();
  const key = { id: deriveKeyId(hash), kind: 'secret', hash, createdAt, scopes: SCOPES } as const;
  await projects(session.service).addKey(projectId, key);
  return find();
}

export async function ensureMintKey(session: Session, projectId: string, secretId: string) {
  const hashSecret = await session.hashSecret();
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const held = await readVersionAsOperator(secretId);
    if (held !== undefined) {
      const { hash } = keyIn(held.text, secretId, projectId, session, hashSecret);
      const key = await completed(session, projectId, hash);
      if (key !== undefined && key.revokedAt === undefined) {
        if (key.scopes?.includes('mint') === false)
          throw failure(
            `The key in the secret ${secretId} may not mint. Revoke it with "key revoke ${key.id}".`,
          );
        return { keyId: key.id };
      }
    }
    const { text } = await session.issueKey('secret', projectId);
    const next = nextVersionId(projectId, held?.versionId ?? '');
    const written = await writeVersionAsOperator(secretId, text, next);
    if (!written) await session.sleep(PAUSE_MS * attempt, new AbortController().signal);
  }
  throw failure(
    `The secret ${secretId} does not return the key that was stored in it. It may have been rolled back to an earlier version. Store a key in it yourself ("key create --scopes mint").`,
  );
}
