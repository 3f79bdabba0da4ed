/** What erasing needs beyond what every handler is given. */

import type { SecretSource } from '../../shared/crypto/secret-source.ts';
import { createDocumentClient } from '../../shared/data/dynamodb-client.ts';
import { createErasureStore, type ErasureStore } from '../../shared/data/erasure.ts';
import { createErasureLog } from '../../shared/data/erasure-log.ts';
import { createIndexReader } from '../../shared/data/index-reader.ts';
import { createPurgeRecords } from '../../shared/data/purge-records.ts';
import { createPurgeSettings, type PurgeSettings } from '../../shared/data/purge-settings.ts';
import type { PurgeStarter } from '../../shared/data/purge-starter.ts';
import { createPurgeSweep } from '../../shared/data/purge-sweep.ts';
import { createPurges, type Purges } from '../../shared/data/purges.ts';
import { createDependencies, type Dependencies, type Seams } from './dependencies.ts';
import { createPersonFinder, type FindPerson } from './person.ts';
import type { RuntimeSettings } from './runtime-settings.ts';
import { createVault } from './vault.ts';

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
