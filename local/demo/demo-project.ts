/** The demo project of a local run: made once, found again after a restart by what the data folder remembers. */

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import {
  checkAccessKey,
  issueAccessKey,
  KEY_RANDOM_BYTES,
  parseAccessKey,
} from '../../shared/crypto/access-key.ts';
import type { ProjectRecord } from '../../shared/data/projects/project-record.ts';
import type { ProjectStore } from '../../shared/data/projects/project-store.ts';
import type { SurveyStore } from '../../shared/data/projects/survey-store.ts';
import { composeProjectId, PROJECT_ID_RANDOM_BYTES } from '../../shared/domain/ids.ts';
import {
  DEFAULT_LIMITS,
  DEFAULT_RATES,
  DEFAULT_TOKEN_LIFETIME_MS,
  type KeyKind,
} from '../../shared/domain/project.ts';
import { readPrivateFile, writePrivateFile } from '../private-file.ts';
import { DEMO_SURVEYS } from './demo-surveys.ts';
import { seedSurveys } from './seed-surveys.ts';

const rememberedProject = z.object({
  projectId: z.string(),
  publishableKey: z.string(),
  secretKey: z.string(),
  readerKey: z.optional(z.string()),
  /** Whether the answers that it is shown with are stored; absent where none are wanted. */
  answers: z.optional(z.enum(['wanted', 'stored'])),
  /** Slugs of the surveys that it was given; absent where an earlier version made it. */
  seeded: z.optional(z.array(z.string())),
});

/** The only place where a local run keeps its keys readable: the table has their hashes alone. */
type RememberedProject = z.infer<typeof rememberedProject>;

export interface DemoProject extends Omit<RememberedProject, 'answers' | 'seeded'> {
  /** Opens the results, words and people too. */
  readonly readerKey: string;
  readonly surveys: readonly { readonly id: string; readonly slug: string; readonly type: string }[];
}

interface DemoOptions {
  readonly store: ProjectStore;
  readonly surveyStore: SurveyStore;
  readonly keyAbbreviation: string;
  readonly hashSecret: Uint8Array;
  /** Undefined keeps nothing. */
  readonly folder: string | undefined;
  /** Whether a project that is made now is to have answers. */
  readonly withAnswers: boolean;
}

function recall(folder: string | undefined): RememberedProject | undefined {
  try {
    const text = folder === undefined ? undefined : readPrivateFile(join(folder, 'demo.json'));
    return text === undefined ? undefined : rememberedProject.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** @returns the id of the new project, which has neither surveys nor keys */
async function createDemoProject({ store }: DemoOptions): Promise<string> {
  const id = composeProjectId(randomBytes(PROJECT_ID_RANDOM_BYTES));
  const project = {
    id,
    name: 'Demo shop',
    status: 'active' as const,
    allowedOrigins: [],
    limits: DEFAULT_LIMITS,
    rates: DEFAULT_RATES,
    tokenLifetimeMs: DEFAULT_TOKEN_LIFETIME_MS,
    createdAt: new Date().toISOString(),
  };
  await store.createProject(project, []);
  return id;
}

export interface OpenedDemo {
  readonly demo: DemoProject;
  /** Where its answers are still to be stored. */
  readonly record: ProjectRecord | undefined;
  /** From now on they are stored. */
  noteStored(): void;
}

const READER_SCOPES = ['results', 'comments'] as const;

/** Keys that do not open, because they were revoked or made otherwise than now, are replaced: those announced work. */
export async function openDemoProject(options: DemoOptions): Promise<OpenedDemo> {
  const { store, surveyStore, keyAbbreviation: abbreviation, hashSecret, folder } = options;
  const remembered = recall(folder);
  const known = remembered && (await store.read(remembered.projectId));
  const projectId = remembered && known ? remembered.projectId : await createDemoProject(options);
  const found = known ?? (await store.read(projectId));
  const isNew = found && (await seedSurveys(surveyStore, projectId, found, known && remembered?.seeded));
  const record = isNew ? await store.read(projectId) : found;

  const liveKey = async (kind: KeyKind, text = ''): Promise<string> => {
    const claimed = parseAccessKey(abbreviation, text);
    const presented = claimed && checkAccessKey(hashSecret, claimed);
    const key = record?.keys.find(({ hash }) => hash === presented?.hash);
    if (key?.kind === kind && key.revokedAt === undefined) return text;
    const random = randomBytes(KEY_RANDOM_BYTES);
    const createdAt = new Date().toISOString();
    const terms = { abbreviation, kind, projectId, random, createdAt };
    const issued = issueAccessKey(hashSecret, {
      ...terms,
      ...(kind === 'reader' && { scopes: READER_SCOPES }),
    });
    await store.addKey(projectId, issued.stored);
    return issued.text;
  };
  const publishableKey = await liveKey('publishable', remembered?.publishableKey);
  const secretKey = await liveKey('secret', remembered?.secretKey);
  const readerKey = await liveKey('reader', remembered?.readerKey);
  const project = { projectId, publishableKey, secretKey, readerKey };
  const created = options.withAnswers ? 'wanted' : undefined;
  const answers = known === undefined ? created : remembered?.answers;

  function remember(noted: RememberedProject): void {
    if (folder !== undefined && !isDeepStrictEqual(noted, recall(folder)))
      writePrivateFile(join(folder, 'demo.json'), JSON.stringify(noted));
  }
  const order = DEMO_SURVEYS.map(({ slug }) => slug);
  remember({ ...project, ...(answers && { answers }), seeded: order });

  const surveys = [...(record?.surveys ?? [])]
    .map(({ id, content: { slug, type } }) => ({ id, slug, type }))
    .sort((a, b) => order.indexOf(a.slug) - order.indexOf(b.slug));
  return {
    demo: { ...project, surveys },
    record: answers === 'wanted' ? record : undefined,
    noteStored: () => remember({ ...project, answers: 'stored', seeded: order }),
  };
}
