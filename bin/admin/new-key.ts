/** Making a key: what it may do, until when, and its text, which is known this once. */

import { issueAccessKey, KEY_RANDOM_BYTES } from '../../shared/crypto/access-key.ts';
import { DAY, SECOND } from '../../shared/domain/duration.ts';
import type { KeyKind, KeyScope, ProjectKey } from '../../shared/domain/project.ts';
import { parseDurationWithin } from './duration-flag.ts';
import { noProject, type Session } from './session.ts';

/** `--expires`, in milliseconds: ten years at most, as a quiet period. */
export const parseExpiry = parseDurationWithin({ min: SECOND, max: 3_650 * DAY });

/** What a reader may see: numbers, and words and people where it says so. */
export const readerScopes = (comments = false): readonly KeyScope[] =>
  comments ? ['results', 'comments'] : ['results'];

interface KeyTerms {
  readonly kind: KeyKind;
  readonly scopes?: readonly KeyScope[] | undefined;
  readonly anyOrigin?: true | undefined;
  /** After how long it ends, milliseconds. */
  readonly expires?: number | undefined;
}

/** @throws AdminError when there is no such project */
export async function addKey(
  session: Session,
  projectId: string,
  { kind, scopes, anyOrigin, expires }: KeyTerms,
): Promise<{ readonly key: ProjectKey; readonly text: string }> {
  const now = session.now();
  const { text, stored } = issueAccessKey(await session.hashSecret(), {
    abbreviation: session.deployment.keyAbbreviation,
    kind,
    projectId,
    random: session.random(KEY_RANDOM_BYTES),
    createdAt: new Date(now).toISOString(),
    scopes,
    expiresAt: expires === undefined ? undefined : new Date(now + expires).toISOString(),
  });
  const key: ProjectKey = { ...stored, anyOrigin };
  if (!(await session.projects.addKey(projectId, key))) throw noProject(projectId);
  return { key, text };
}
