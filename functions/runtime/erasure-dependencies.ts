/** What erasing needs beyond what every handler is given. */

import { createVault } from '../../shared/crypto/secret-cache.ts';
import type { SecretSource } from '../../shared/crypto/secret-source.ts';
import type { PurgeStarter } from '../../shared/data/aws/purge-starter.ts';
import { createErasureLog } from '../../shared/data/privacy/erasure-log.ts';
import { createErasureStore, type ErasureStore } from '../../shared/data/privacy/erasure-store.ts';
import { createPurgeRecords } from '../../shared/data/privacy/purge-records.ts';
import { createPurgeSettings, type PurgeSettings } from '../../shared/data/privacy/purge-settings.ts';
import { createPurgeSweep } from '../../shared/data/privacy/purge-sweep.ts';
import { createPurges, type Purges } from '../../shared/data/privacy/purges.ts';
import { createDocumentClient } from '../../shared/data/table/client.ts';
import { createIndexReader } from '../../shared/data/table/index-reader.ts';
import { createDependencies, type Dependencies, type Seams } from './dependencies.ts';
import { createPersonFinder, type FindPerson } from './person.ts';
import type { RuntimeSettings } from './runtime-settings.ts';

export interface ErasureDependencies extends Dependencies {
  readonly findPerson: FindPerson;
  readonly erasures: ErasureStore;
  readonly purgeSettings: PurgeSettings;
  readonly purges: Purges;
}

interface ErasureSeams extends Seams {
  readonly starter: PurgeStarter;
}

export function createErasureDependencies(
  environment: RuntimeSettings & { readonly erasureLogTableName: string },
  secrets: SecretSource,
  seams: ErasureSeams,
): ErasureDependencies {
  const { tableName, erasureLogTableName, dynamodbEndpoint } = environment;
  const client = seams.client ?? createDocumentClient({ endpoint: dynamodbEndpoint });
  const base = createDependencies(environment, secrets, { ...seams, client });
  const { starter, aroundIndex = (read) => read } = seams;
  const log = createErasureLog(client, erasureLogTableName);
  const settings = createPurgeSettings(client, tableName);
  const sweep = createPurgeSweep(client, environment, aroundIndex(createIndexReader(client, tableName)));
  return {
    ...base,
    findPerson: createPersonFinder(createVault(secrets, base.clock)),
    erasures: createErasureStore(client, environment, log),
    purgeSettings: settings,
    purges: createPurges({ log, settings, sweep, starter, records: createPurgeRecords(client, tableName) }),
  };
}
