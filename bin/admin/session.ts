/** What a command works with: its deployment, the stores on it, and the person at the terminal. */

import { createLogger } from '../../functions/runtime/logger.ts';
import { createPurgeDependencies } from '../../functions/runtime/purge-step.ts';
import { createLocalStateMachine } from '../../local/state-machine.ts';
import { once } from '../../shared/contract/once.ts';
import { createImports } from '../../shared/data/answers/import-store.ts';
import { createPurgeStarter, type PurgeStarter } from '../../shared/data/aws/purge-starter.ts';
import { createErasureLog } from '../../shared/data/privacy/erasure-log.ts';
import { createErasureStore } from '../../shared/data/privacy/erasure-store.ts';
import { createPurgeRecords } from '../../shared/data/privacy/purge-records.ts';
import { createPurgeSettings } from '../../shared/data/privacy/purge-settings.ts';
import { createPurgeSweep } from '../../shared/data/privacy/purge-sweep.ts';
import { createPurges } from '../../shared/data/privacy/purges.ts';
import { createKeyUseStore } from '../../shared/data/projects/key-use-store.ts';
import type { ProjectRecord } from '../../shared/data/projects/project-record.ts';
import { createProjectStore } from '../../shared/data/projects/project-store.ts';
import { createSurveyStore } from '../../shared/data/projects/survey-store.ts';
import { createIndexReader } from '../../shared/data/table/index-reader.ts';
import { failure } from './admin-error.ts';
import type { Deployment } from './deployment.ts';
import { createTokenRingStore, readHashSecret } from './secrets.ts';
import type { Terminal } from './terminal.ts';

/** What comes from outside the program. */
export interface Surroundings {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
}

interface Person {
  readonly terminal: Terminal;
  /** Shows something before the result: on stderr with `--json`, else on stdout. */
  readonly show: (text: string) => void;
}

interface PurgeMachine extends PurgeStarter {
  /** Waits for what runs in this process; what runs in AWS is not waited for. */
  settle(): Promise<void>;
}

export type Session = ReturnType<typeof openSession>;

export const noProject = (projectId: string) =>
  failure(`There is no project ${projectId}, or it is being purged.`);

/** Each store is made when a command asks for it. */
export function openSession(deployment: Deployment, surroundings: Surroundings & Person) {
  const { client, tableName, erasureLogTableName, shards, origin } = deployment;
  const { now, terminal } = surroundings;
  const erasureLog = () => createErasureLog(client, erasureLogTableName);
  const purgeRecords = () => createPurgeRecords(client, tableName);
  const purgeMachine = once(() => openPurgeMachine(deployment, now, terminal.note));
  return {
    deployment,
    ...surroundings,

    get projects() {
      return createProjectStore(client, tableName);
    },
    get surveys() {
      return createSurveyStore(client, tableName);
    },
    get keyUse() {
      return createKeyUseStore(client, tableName);
    },
    get tokenRing() {
      return createTokenRingStore(origin);
    },
    get erasureLog() {
      return erasureLog();
    },
    get erasures() {
      return createErasureStore(client, { tableName, shards }, erasureLog());
    },
    get purgeRecords() {
      return purgeRecords();
    },
    get purgeMachine() {
      return purgeMachine();
    },
    get purges() {
      return createPurges({
        log: erasureLog(),
        records: purgeRecords(),
        settings: createPurgeSettings(client, tableName),
        sweep: createPurgeSweep(client, { tableName, shards }, createIndexReader(client, tableName)),
        starter: purgeMachine(),
      });
    },

    async openImports() {
      return createImports(client, { tableName, shards }, await readHashSecret(origin));
    },

    /** @throws AdminError when there is no such project */
    async record(projectId: string): Promise<ProjectRecord> {
      const record = await createProjectStore(client, tableName).read(projectId);
      if (record === undefined) throw noProject(projectId);
      return record;
    },
  };
}

/** The state machine of purges: in AWS, or for a local instance in this process. */
function openPurgeMachine(
  { origin, client, tableName, erasureLogTableName, shards }: Deployment,
  clock: () => number,
  note: (line: string) => void,
): PurgeMachine {
  if (origin.kind === 'stack') {
    const { start } = createPurgeStarter(origin.output('PurgeStateMachineArn'));
    return { start, settle: async () => undefined };
  }
  const failed: string[] = [];
  const { start, idle } = createLocalStateMachine({
    deps: createPurgeDependencies(
      { tableName, erasureLogTableName, shards },
      { client, clock, log: createLogger(note) },
    ),
    waits: { WaitForCaches: origin.cacheLifetimeMs, WaitForIndexes: 0 },
    onFailure: (execution) => failed.push(execution),
  });
  return {
    start,
    async settle() {
      await idle();
      if (failed.length > 0) throw failure(`The purge failed: ${failed.join(', ')}.`);
    },
  };
}
