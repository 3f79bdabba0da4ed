/** Which deployment a command is about: a stack in AWS, or the local instance, running or stopped. */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { START } from '../../local/called-as.ts';
import { startEmbeddedDynamodb } from '../../local/embedded-dynamodb.ts';
import { LocalError } from '../../local/local-error.ts';
import {
  erasureLogOf,
  findRunningInstance,
  LOCAL_TABLE_NAME,
  type RunningInstance,
} from '../../local/running-instance.ts';
import { DEFAULT_KEY_ABBREVIATION } from '../../shared/crypto/access-key.ts';
import { readStackOutputs } from '../../shared/data/aws/operator-access.ts';
import { createDynamodbClient } from '../../shared/data/table/client.ts';
import { DEFAULT_INDEX_SHARDS } from '../../shared/data/table/schema.ts';
import { SECOND } from '../../shared/domain/duration.ts';
import { failure, misuse } from './admin-error.ts';
import { VERSION_BEFORE_OUTPUT } from './version-check.ts';

export interface DeploymentFlags {
  readonly stack?: string;
  readonly construct?: string;
  readonly local?: boolean;
  readonly data?: string;
}

export interface Deployment {
  readonly client: ReturnType<typeof createDynamodbClient>;
  readonly tableName: string;
  readonly erasureLogTableName: string;
  /** Shards of each index per project. */
  readonly shards: number;
  /** What its keys begin with. */
  readonly keyAbbreviation: string;
  readonly origin: StackOrigin | LocalOrigin;
  /** Of a stack, that of the project when it was deployed. */
  readonly version?: string;
  /** Ends what was started for the command. */
  close(): Promise<void>;
}

interface StackOrigin {
  readonly kind: 'stack';
  /** An output of the stack. @throws AdminError when it has none of this name */
  output(name: string): string;
  /** One that not every deployment has. */
  optional(name: string): string | undefined;
}

interface LocalOrigin {
  readonly kind: 'local';
  readonly folder: string;
  /** How long an instance may go on serving settings that were changed, milliseconds; 0 when none runs. */
  readonly cacheLifetimeMs: number;
  /** Where a running instance answers. */
  readonly url?: string | undefined;
  /** Of a running instance that keeps nothing. */
  readonly hashSecret?: string | undefined;
}

/** An operator's connection may be slower than a function's. */
const REQUEST_TIMEOUT_MS = 20 * SECOND;

/** A running instance keeps settings for a second; the rest is for requests under way. */
const RUNNING_CACHE_MS = 3 * SECOND;

/** Another command, or an instance that starts or stops, holds a folder for a moment. */
const FOLDER_ATTEMPTS = 50;
const FOLDER_PAUSE_MS = 100;

/** @throws AdminError, LocalError */
export async function openDeployment({
  stack,
  construct,
  local,
  data,
}: DeploymentFlags): Promise<Deployment> {
  if (stack !== undefined && local) throw misuse('Give either --stack or --local, not both.');
  if (data !== undefined && !local) throw misuse('--data goes with --local.');
  if (construct !== undefined && stack === undefined) throw misuse('--construct goes with --stack.');
  if (stack !== undefined) return openStack(stack, construct);
  if (!local) throw misuse('Say where: --stack NAME for a deployment, --local for the local instance.');
  return openFolder(resolve(data ?? '.canvass'));
}

/** Outputs of the one deployment in a stack, or of the one that is named. @throws AdminError */
export async function stackOutputs(
  stackName: string,
  construct: string | undefined,
): Promise<Pick<StackOrigin, 'output' | 'optional'>> {
  const found = await readStackOutputs(stackName);
  if (found === undefined) throw failure(`There is no stack ${stackName} in this account and region.`);
  const outputs = chooseOutputs(stackName, found, construct);
  return {
    output(name) {
      const value = outputs.get(name);
      if (value !== undefined) return value;
      throw failure(`The stack ${stackName} has no output ${name}: it is not a Canvass deployment.`);
    },
    optional: (name) => outputs.get(name),
  };
}

async function openStack(stackName: string, construct: string | undefined): Promise<Deployment> {
  const { output, optional } = await stackOutputs(stackName, construct);
  const tables = { tableName: output('TableName'), erasureLogTableName: output('ErasureLogTableName') };
  const shards = Number(output('IndexShards'));
  const keyAbbreviation = output('KeyAbbreviation');
  const client = createDynamodbClient({ requestTimeoutMs: REQUEST_TIMEOUT_MS });
  const close = async () => client.destroy();
  return {
    client,
    ...tables,
    shards,
    keyAbbreviation,
    version: optional('Version') ?? VERSION_BEFORE_OUTPUT,
    origin: { kind: 'stack', output, optional },
    close,
  };
}

/** Reaches the instance that runs on a folder, or starts its DynamoDB for as long as the command takes. */
async function openFolder(folder: string): Promise<Deployment> {
  const { DYNAMODB_ENDPOINT: endpoint, KEY_ABBREVIATION: keyAbbreviation } = process.env;
  for (let attempt = 1; ; attempt++) {
    const running = await findRunningInstance(folder);
    if (running !== undefined) return reach(folder, running, RUNNING_CACHE_MS);
    if (!endpoint && !existsSync(join(folder, 'dynamodb.db'))) {
      throw failure(
        `There is no local instance in ${folder}: run "${START}" first, or name its folder with --data.`,
      );
    }
    try {
      const dynamodb = await startEmbeddedDynamodb({ dataFolder: folder, endpoint });
      const address = { dynamodbEndpoint: dynamodb.endpoint, tableName: LOCAL_TABLE_NAME };
      const keys = keyAbbreviation === undefined ? {} : { keyAbbreviation };
      return reach(folder, { ...address, ...keys }, endpoint ? RUNNING_CACHE_MS : 0, dynamodb.stop);
    } catch (error) {
      const isBusy = error instanceof LocalError && error.code === 'folder_in_use';
      if (!isBusy || attempt === FOLDER_ATTEMPTS) throw error;
      await pause(FOLDER_PAUSE_MS);
    }
  }
}

type Reached = Omit<RunningInstance, 'pid' | 'url'> & Partial<Pick<RunningInstance, 'url'>>;

function reach(
  folder: string,
  { dynamodbEndpoint, tableName, keyAbbreviation, hashSecret, url }: Reached,
  cacheLifetimeMs: number,
  stop: () => Promise<void> = async () => undefined,
): Deployment {
  const client = createDynamodbClient({ endpoint: dynamodbEndpoint, requestTimeoutMs: REQUEST_TIMEOUT_MS });
  return {
    client,
    tableName,
    erasureLogTableName: erasureLogOf(tableName),
    shards: DEFAULT_INDEX_SHARDS,
    keyAbbreviation: keyAbbreviation ?? DEFAULT_KEY_ABBREVIATION,
    origin: { kind: 'local', folder, cacheLifetimeMs, url, hashSecret },
    async close() {
      client.destroy();
      await stop();
    },
  };
}

/** Where the service of a deployment answers. @throws AdminError when nothing answers there */
export function serviceUrl({ origin }: Deployment): string {
  if (origin.kind === 'stack') return origin.output('ApiUrl');
  if (origin.url !== undefined) return origin.url;
  throw failure(`No local instance runs on ${origin.folder}: run "${START}" first.`);
}

/** Every deployment has it, and hardly anything else has. */
const MARK = 'KeyAbbreviation';

/** What the CDK puts behind the id of an output that is not right in its stack (AWS CDK, "Logical IDs"). */
const HASH = /[0-9A-F]{8}$/;

/** An output's id without the hash: the path of its construct, without separators, and its name. */
const pathOf = (key: string): string => key.replace(HASH, '');

/** What the ids of a construct's parts begin with; `Default` is in none. */
const prefixOf = (construct: string): string =>
  construct
    .split('/')
    .filter((part) => part !== 'Default')
    .join('')
    .replaceAll(/[^A-Za-z0-9]/g, '');

type Outputs = ReadonlyMap<string, string>;

/** By the path of the construct; the empty one is that of a stack which is the deployment. */
function deploymentsIn(outputs: Outputs): ReadonlyMap<string, Outputs> {
  const byPath = [...outputs].map(([key, value]) => [pathOf(key), value] as const);
  const marks = byPath.filter(([path]) => path.endsWith(MARK)).map(([path]) => path.slice(0, -MARK.length));
  return new Map(
    marks.map((construct) => [
      construct,
      new Map(
        byPath
          .filter(([path]) => path.startsWith(construct))
          .map(([path, value]) => [path.slice(construct.length), value]),
      ),
    ]),
  );
}

/**
 * The outputs of one deployment by their names, whichever construct of the stack it is.
 * @param construct its path in the stack; needed where there are several
 * @throws AdminError
 */
function chooseOutputs(stackName: string, outputs: Outputs, construct: string | undefined): Outputs {
  const deployments = deploymentsIn(outputs);
  const names = [...deployments.keys()].sort();
  if (construct !== undefined) {
    const chosen = deployments.get(prefixOf(construct));
    if (chosen !== undefined) return chosen;
    const there = names.length === 0 ? 'none' : names.map((name) => name || 'Default').join(', ');
    throw failure(`The stack ${stackName} has no deployment ${construct}; there is: ${there}.`);
  }
  const [first = outputs, ...others] = deployments.values();
  if (others.length === 0) return first;
  throw failure(
    `The stack ${stackName} has several deployments: ${names.map((name) => name || 'Default').join(', ')}. Choose one with --construct.`,
  );
}
