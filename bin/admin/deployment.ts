/** Which deployment a command is about: a stack in AWS, or the local instance. */

import { erasureLogOf } from '../../local/running-instance.ts';
import { readStackOutputs } from '../../shared/data/aws/stack-outputs.ts';
import { createDocumentClient } from '../../shared/data/table/client.ts';
import { DEFAULT_INDEX_SHARDS } from '../../shared/data/table/schema.ts';
import { SECOND } from '../../shared/domain/duration.ts';
import { failure, misuse } from './admin-error.ts';
import { openLocalDeployment } from './local-deployment.ts';

export interface DeploymentFlags {
  readonly stack?: string;
  readonly local?: boolean;
  readonly data?: string;
}

export interface Deployment {
  readonly client: ReturnType<typeof createDocumentClient>;
  readonly tableName: string;
  readonly erasureLogTableName: string;
  /** Shards of each index per project. */
  readonly shards: number;
  /** What its keys begin with. */
  readonly keyAbbreviation: string;
  readonly origin: StackOrigin | LocalOrigin;
  /** Ends what was started for the command. */
  close(): Promise<void>;
}

interface StackOrigin {
  readonly kind: 'stack';
  /** Outputs of the stack by name. */
  readonly outputs: ReadonlyMap<string, string>;
}

interface LocalOrigin {
  readonly kind: 'local';
  /** The data folder. */
  readonly folder: string;
}

/** An operator's connection may be slower than a function's. */
const REQUEST_TIMEOUT_MS = 20 * SECOND;

async function openStack(stackName: string): Promise<Deployment> {
  const outputs = await readStackOutputs(stackName);
  if (outputs === undefined) throw failure(`There is no stack ${stackName} in this account and region.`);
  const output = (name: string): string => {
    const value = outputs.get(name);
    if (value === undefined)
      throw failure(`The stack ${stackName} has no output ${name}: it is none of Canvass.`);
    return value;
  };
  const tableName = output('TableName');
  const erasureLogTableName = output('ErasureLogTableName');
  const shards = Number(output('IndexShards'));
  const keyAbbreviation = output('KeyAbbreviation');
  const client = createDocumentClient({ requestTimeoutMs: REQUEST_TIMEOUT_MS });
  const close = async () => client.destroy();
  const origin = { kind: 'stack' as const, outputs };
  return { client, tableName, erasureLogTableName, shards, keyAbbreviation, origin, close };
}

/** @throws AdminError, LocalError */
export async function openDeployment({ stack, local, data }: DeploymentFlags): Promise<Deployment> {
  if (stack !== undefined && local) throw misuse('Give either --stack or --local, not both.');
  if (data !== undefined && !local) throw misuse('--data goes with --local.');
  if (stack !== undefined) return openStack(stack);
  if (!local) throw misuse('Say where: --stack NAME for a deployment, --local for the local instance.');
  const { address, close } = await openLocalDeployment(data ?? '.canvass');
  const client = createDocumentClient({
    endpoint: address.dynamodbEndpoint,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
  });
  return {
    client,
    tableName: address.tableName,
    erasureLogTableName: erasureLogOf(address.tableName),
    shards: DEFAULT_INDEX_SHARDS,
    keyAbbreviation: address.keyAbbreviation,
    origin: { kind: 'local', folder: address.folder },
    async close() {
      client.destroy();
      await close();
    },
  };
}
