/**
 * The project that `project ensure` creates. Its id is derived from its name and the hash secret, so concurrent and
 * repeated runs share one id, and only one of them can create it.
 */

import { purgeRecords } from '../../../functions/runtime/parts/privacy.ts';
import { projects } from '../../../functions/runtime/parts/projects.ts';
import { issueAccessKey, KEY_RANDOM_BYTES } from '../../../shared/crypto/access-key.ts';
import { keyedHash } from '../../../shared/crypto/derive.ts';
import { composeProjectId, PROJECT_ID_RANDOM_BYTES } from '../../../shared/domain/ids.ts';
import type { Project } from '../../../shared/domain/project.ts';
import { failure } from '../admin-error.ts';
import { createProjectWith } from '../project-commands.ts';
import { noProject, type Session } from '../session.ts';

interface Ensured {
  readonly projectId: string;
  readonly isNew: boolean;
}

/** @param place how many earlier projects of this name were purged; ids are never reused */
function idOf(hashSecret: Uint8Array, name: string, place: number): string {
  const bytes = keyedHash(hashSecret, 'ensured-project', String(place), name);
  return composeProjectId(bytes.subarray(0, PROJECT_ID_RANDOM_BYTES));
}

async function purgeOf({ service }: Session, projectId: string): Promise<string | undefined> {
  const records = await purgeRecords(service).list(projectId);
  return records.find(
    ({ surveyId, respondentHash }) => surveyId === undefined && respondentHash === undefined,
  )?.state;
}

/** @throws AdminError while the project is being purged */
async function currentId(session: Session, name: string): Promise<string> {
  const hashSecret = await session.hashSecret();
  for (let place = 0; ; place += 1) {
    const projectId = idOf(hashSecret, name, place);
    const state = await purgeOf(session, projectId);
    if (state === undefined) return projectId;
    if (state === 'done') continue;
    throw failure(
      `The project ${name} (${projectId}) is being purged. Run this again when "purge status --project ${projectId}" shows done.`,
    );
  }
}

/** @throws AdminError when another project has the name */
async function refuseNamesake({ service }: Session, { id, name }: Pick<Project, 'id' | 'name'>) {
  const all = await projects(service).list();
  const other = all.find((project) => project.name === name && project.id !== id && !project.purgedAt);
  if (other === undefined) return;
  throw failure(
    `A project ${name} exists that this command did not create. Give --project ${other.id} instead of --name, or choose another name.`,
  );
}

export async function ensureProject(
  session: Session,
  settings: Omit<Project, 'id' | 'status' | 'createdAt'>,
): Promise<Ensured> {
  const { name } = settings;
  const projectId = await currentId(session, name);
  const isThere = async () => (await projects(session.service).read(projectId)) !== undefined;
  if (await isThere()) return { projectId, isNew: false };
  await refuseNamesake(session, { id: projectId, name });
  try {
    await createProjectWith([], session, { ...settings, id: projectId });
    return { projectId, isNew: true };
  } catch (error) {
    // A concurrent run created it.
    if (await isThere()) return { projectId, isNew: false };
    throw error;
  }
}

/**
 * Derives the publishable key from the hash secret, so that every run returns the same one. If it was revoked, the next
 * one is derived.
 * @throws AdminError when there is no such project
 */
export async function ensurePublishableKey(session: Session, projectId: string): Promise<string> {
  const hashSecret = await session.hashSecret();
  for (let place = 0; ; place += 1) {
    const bytes = keyedHash(hashSecret, 'ensured-key', projectId, `publishable ${place}`);
    const { text, stored } = issueAccessKey(hashSecret, {
      abbreviation: session.deployment.keyAbbreviation,
      kind: 'publishable',
      projectId,
      random: bytes.subarray(0, KEY_RANDOM_BYTES),
      createdAt: new Date(session.now()).toISOString(),
    });
    const find = async () => (await session.record(projectId)).keys.find(({ hash }) => hash === stored.hash);
    let known = await find();
    if (known === undefined) {
      await projects(session.service).addKey(projectId, stored);
      known = await find();
    }
    if (known === undefined) throw noProject(projectId);
    if (known.revokedAt === undefined) return text;
  }
}
