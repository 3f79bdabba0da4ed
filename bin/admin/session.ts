import { compose, type Service } from '../../functions/runtime/compose.ts';
import { createLogger } from '../../functions/runtime/logger.ts';
import { projects } from '../../functions/runtime/parts/projects.ts';
import { projectSettings } from '../../functions/runtime/settings-cache.ts';
import { readStoredSecrets, type StoredSecrets, writeStoredSecrets } from '../../local/local-secrets.ts';
import { createLocalStateMachine } from '../../local/state-machine.ts';
import { didYouMean } from '../../shared/contract/did-you-mean.ts';
import {
  type IssuedKey,
  issueAccessKey,
  KEY_RANDOM_BYTES,
  type KeyRequest,
} from '../../shared/crypto/access-key.ts';
import { formatTokenRing, parseTokenRing, type TokenRing } from '../../shared/crypto/token-ring.ts';
import { readSecretAsOperator, writeSecretAsOperator } from '../../shared/data/aws/operator-access.ts';
import {
  createPurgeStarter,
  type PurgeStarter,
  type SweepStarter,
} from '../../shared/data/aws/purge-starter.ts';
import type { ProjectRecord } from '../../shared/data/projects/project-record.ts';
import { type KeyKind, type ProjectSettings, SETTINGS_LIFETIME_MS } from '../../shared/domain/project.ts';
import type { Survey } from '../../shared/domain/surveys/survey.ts';
import { failure } from './admin-error.ts';
import type { Deployment } from './deployment.ts';
import type { Terminal } from './terminal.ts';

export interface Surroundings {
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

interface Person {
  readonly terminal: Terminal;
  readonly show: (text: string) => void;
}

interface PurgeMachine extends PurgeStarter, SweepStarter {
  /** Waits for purges that run in this process. */
  settle(): Promise<void>;
}

export type Session = ReturnType<typeof openSession>;

export const noProject = (projectId: string) =>
  failure(`There is no project ${projectId}, or it is being purged.`);

export function openSession(deployment: Deployment, surroundings: Surroundings & Person) {
  const { client, tableName, erasureLogTableName, shards, keyAbbreviation, origin } = deployment;
  const { now, terminal } = surroundings;
  let secret: Promise<Uint8Array> | undefined;
  const hashSecret = () => {
    secret ??= readHashSecret(origin).catch((error) => {
      secret = undefined;
      throw error;
    });
    return secret;
  };
  const settings = {
    tableName,
    erasureLogTableName,
    shards,
    keyAbbreviation,
    stage: 'operator',
    defaultAddressRate: 0,
    settingsLifetimeMs: SETTINGS_LIFETIME_MS,
    hashSecretId: '',
    tokenRingId: '',
  };
  const overrides = {
    client,
    clock: now,
    log: createLogger(terminal.note),
    secrets: {
      readHashSecret: hashSecret,
      readTokenRing: () => Promise.reject(new Error('an operator opens no show-tokens')),
    },
  };
  const purgeMachine = openPurgeMachine(deployment, compose(settings, overrides));
  const service = compose(settings, { ...overrides, purgeStarter: purgeMachine });
  return {
    deployment,
    purgeMachine,
    service,
    ...surroundings,

    hashSecret,

    async issueKey(kind: KeyKind, projectId: string, given: Partial<KeyRequest> = {}): Promise<IssuedKey> {
      return issueAccessKey(await hashSecret(), {
        ...{ abbreviation: keyAbbreviation, kind, projectId, createdAt: new Date(now()).toISOString() },
        random: given.random ?? surroundings.random(KEY_RANDOM_BYTES),
        ...given,
      });
    },

    async record(projectId: string): Promise<ProjectRecord> {
      const record = await projects(service).read(projectId);
      if (record === undefined) throw noProject(projectId);
      return record;
    },

    async settings(projectId: string): Promise<ProjectSettings> {
      const settings = await projectSettings(service).load(projectId);
      if (settings === undefined) throw noProject(projectId);
      return settings;
    },
  };
}

function openPurgeMachine({ origin }: Deployment, service: Service): PurgeMachine {
  if (origin.kind === 'stack') {
    const starter = () => createPurgeStarter(origin.output('PurgeStateMachineArn'));
    return {
      start: (scope, attempt) => starter().start(scope, attempt),
      sweep: (now, projects) => starter().sweep(now, projects),
      settle: async () => undefined,
    };
  }
  const failed: string[] = [];
  const { start, sweep, idle } = createLocalStateMachine({
    service,
    waits: { WaitForCaches: origin.cacheLifetimeMs, WaitForIndexes: 0 },
    onFailure: (execution) => failed.push(execution),
  });
  return {
    start,
    sweep,
    async settle() {
      await idle();
      if (failed.length > 0) throw failure(`The purge failed: ${failed.join(', ')}.`);
    },
  };
}

const noSurvey = (slug: string, projectId: string, slugs: Iterable<string> = []) =>
  failure(`There is no survey ${slug} in project ${projectId}.${didYouMean(slug, slugs)}`);

export function namedSurvey({ project, surveys }: ProjectRecord, slug: string): Survey {
  const survey = surveys.find(({ content }) => content.slug === slug);
  if (survey !== undefined) return survey;
  throw noSurvey(
    slug,
    project.id,
    surveys.map(({ content }) => content.slug),
  );
}

type Origin = Deployment['origin'];

/** @throws AdminError if the instance uses `--memory` */
function storedIn(folder: string): StoredSecrets {
  const stored = readStoredSecrets(folder);
  if (stored !== undefined) return stored;
  throw failure(
    `There are no secrets in ${folder}. An instance that runs with --memory keeps its secrets in memory.`,
  );
}

async function readHashSecret(origin: Origin): Promise<Uint8Array> {
  if (origin.kind === 'stack')
    return Buffer.from(await readSecretAsOperator(origin.output('HashSecretName')));
  return Buffer.from(origin.hashSecret ?? storedIn(origin.folder).hashSecret);
}

/** @throws AdminError if the secret cannot be read */
export function createTokenRingStore(origin: Origin) {
  if (origin.kind === 'stack') {
    const name = origin.output('TokenRingName');
    return {
      read: async () => parseTokenRing(await readSecretAsOperator(name)),
      write: (ring: TokenRing) => writeSecretAsOperator(name, formatTokenRing(ring)),
    };
  }
  const stored = storedIn(origin.folder);
  return {
    read: async () => parseTokenRing(stored.tokenRing),
    write: async (ring: TokenRing) =>
      writeStoredSecrets(origin.folder, { ...stored, tokenRing: formatTokenRing(ring) }),
  };
}
