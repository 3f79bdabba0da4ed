import { issueAccessKey, KEY_RANDOM_BYTES } from '../../shared/crypto/access-key.ts';
import type { KeyKind, Project } from '../../shared/domain/project.ts';
import type { Session } from './session.ts';

interface CreatedProject {
  readonly projectId: string;
  readonly publishableKey: string;
  readonly secretKey: string;
}

/** Creates an active project with a publishable and a secret key; the keys are nowhere else than in what it returns. */
export async function createProject(
  { projects, deployment, now, random, hashSecret: readHashSecret }: Session,
  settings: Omit<Project, 'status' | 'createdAt'>,
): Promise<CreatedProject> {
  const hashSecret = await readHashSecret();
  const createdAt = new Date(now()).toISOString();
  const projectId = settings.id;
  const issue = (kind: KeyKind) =>
    issueAccessKey(hashSecret, {
      abbreviation: deployment.keyAbbreviation,
      kind,
      projectId,
      random: random(KEY_RANDOM_BYTES),
      createdAt,
    });
  const [publishable, secret] = [issue('publishable'), issue('secret')];
  await projects.createProject({ status: 'active', createdAt, ...settings }, [
    publishable.stored,
    secret.stored,
  ]);
  return { projectId, publishableKey: publishable.text, secretKey: secret.text };
}
