/** The demo project of a local run: made once, found again after a restart by what the data folder remembers. */

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import {
  type IssuedKey,
  issueAccessKey,
  KEY_RANDOM_BYTES,
  parseAccessKey,
} from '../shared/crypto/access-key.ts';
import type { ProjectStore } from '../shared/data/projects/project-store.ts';
import {
  composeProjectId,
  composeSurveyId,
  PROJECT_ID_RANDOM_BYTES,
  SURVEY_ID_RANDOM_BYTES,
} from '../shared/domain/ids.ts';
import {
  DEFAULT_LIMITS,
  DEFAULT_RATES,
  DEFAULT_TOKEN_LIFETIME_MS,
  type KeyKind,
  type ProjectKey,
} from '../shared/domain/project.ts';
import { DEMO_SURVEYS } from './demo-surveys.ts';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

const rememberedProject = z.object({
  projectId: z.string(),
  publishableKey: z.string(),
  secretKey: z.string(),
});

/** The only place where a local run keeps its keys readable: the table has their hashes alone. */
type RememberedProject = z.infer<typeof rememberedProject>;

export interface DemoProject extends RememberedProject {
  readonly surveys: readonly { readonly id: string; readonly slug: string; readonly type: string }[];
}

interface DemoOptions {
  readonly store: ProjectStore;
  readonly keyAbbreviation: string;
  /** Undefined keeps nothing. */
  readonly folder: string | undefined;
}

function recall(folder: string | undefined): RememberedProject | undefined {
  try {
    const text = folder === undefined ? undefined : readPrivateFile(join(folder, 'demo.json'));
    return text === undefined ? undefined : rememberedProject.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function issueKey(kind: KeyKind, projectId: string, abbreviation: string): IssuedKey {
  const createdAt = new Date().toISOString();
  return issueAccessKey({ abbreviation, kind, projectId, random: randomBytes(KEY_RANDOM_BYTES), createdAt });
}

function remember(project: RememberedProject, folder: string | undefined): void {
  if (folder !== undefined) writePrivateFile(join(folder, 'demo.json'), JSON.stringify(project));
}

async function seed({ store, keyAbbreviation, folder }: DemoOptions): Promise<RememberedProject> {
  const createdAt = new Date().toISOString();
  const projectId = composeProjectId(randomBytes(PROJECT_ID_RANDOM_BYTES));
  const publishable = issueKey('publishable', projectId, keyAbbreviation);
  const secret = issueKey('secret', projectId, keyAbbreviation);
  const remembered = { projectId, publishableKey: publishable.text, secretKey: secret.text };
  await store.createProject(
    {
      id: projectId,
      name: 'Demo shop',
      status: 'active',
      allowedOrigins: [],
      limits: DEFAULT_LIMITS,
      rates: DEFAULT_RATES,
      tokenLifetimeMs: DEFAULT_TOKEN_LIFETIME_MS,
      createdAt,
    },
    [publishable.stored, secret.stored],
  );
  for (const content of DEMO_SURVEYS) {
    const id = composeSurveyId(randomBytes(SURVEY_ID_RANDOM_BYTES));
    await store.createSurvey(projectId, { id, status: 'active', limits: {}, content });
  }
  remember(remembered, folder);
  return remembered;
}

/** Keys that were revoked, or begin with another abbreviation than now, are replaced: those announced always work. */
async function renewKeys(
  remembered: RememberedProject,
  keys: readonly ProjectKey[],
  { store, keyAbbreviation, folder }: DemoOptions,
): Promise<RememberedProject> {
  const { projectId } = remembered;
  const live = async (kind: KeyKind, text: string): Promise<string> => {
    const presented = parseAccessKey(keyAbbreviation, text);
    const known = keys.find(({ hash }) => hash === presented?.hash);
    if (known?.kind === kind && known.revokedAt === undefined) return text;
    const issued = issueKey(kind, projectId, keyAbbreviation);
    await store.addKey(projectId, issued.stored);
    return issued.text;
  };
  const publishableKey = await live('publishable', remembered.publishableKey);
  const secretKey = await live('secret', remembered.secretKey);
  const renewed = { projectId, publishableKey, secretKey };
  if (!isDeepStrictEqual(renewed, remembered)) remember(renewed, folder);
  return renewed;
}

export async function openDemoProject(options: DemoOptions): Promise<DemoProject> {
  const { store, folder } = options;
  const recalled = recall(folder);
  const known = recalled && (await store.read(recalled.projectId));
  const remembered =
    recalled === undefined || known === undefined
      ? await seed(options)
      : await renewKeys(recalled, known.keys, options);
  const record = known ?? (await store.read(remembered.projectId));
  const order = DEMO_SURVEYS.map(({ slug }) => slug);
  return {
    ...remembered,
    surveys: [...(record?.surveys ?? [])]
      .map(({ id, content: { slug, type } }) => ({ id, slug, type }))
      .sort((a, b) => order.indexOf(a.slug) - order.indexOf(b.slug)),
  };
}
