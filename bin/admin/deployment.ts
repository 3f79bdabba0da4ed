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
import { operatorRegion, readStackOutputs } from '../../shared/data/aws/operator-access.ts';
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
  readonly shards: number;
  readonly keyAbbreviation: string;
  readonly origin: StackOrigin | LocalOrigin;
  readonly version?: string;
  close(): Promise<void>;
}

interface StackOrigin {
  readonly kind: 'stack';
  readonly stack: string;
  readonly construct?: string | undefined;
  output(name: string): string;
  optional(name: string): string | undefined;
}

interface LocalOrigin {
  readonly kind: 'local';
  readonly folder: string;
  /** How long an instance may serve outdated settings; 0 when none runs. */
  readonly cacheLifetimeMs: number;
  readonly url?: string | undefined;
  /** Set when a running instance uses `--memory`. */
  readonly hashSecret?: string | undefined;
}

const REQUEST_TIMEOUT_MS = 20 * SECOND;

/** A running instance caches settings for less than a second, and the rest covers requests in flight. */
const RUNNING_CACHE_MS = 3 * SECOND;

/** Another command, or an instance that starts or stops, locks the folder briefly. */
const FOLDER_ATTEMPTS = 50;
const FOLDER_PAUSE_MS = 100;

export async function openDeployment({
  stack,
  construct,
  local,
  data,
}: DeploymentFlags): Promise<Deployment> {
  if (stack !== undefined && local) throw misuse('Give either --stack or --local, not both.');
  if (data !== undefined && !local) throw misuse('--data requires --local.');
  if (construct !== undefined && stack === undefined) throw misuse('--construct requires --stack.');
  if (stack !== undefined) return openStack(stack, construct);
  if (!local)
    throw misuse('Choose a deployment: --stack NAME for one in AWS, or --local for the local instance.');
  return openFolder(resolve(data ?? '.canvass'));
}

export async function stackOutputs(
  stackName: string,
  construct: string | undefined,
): Promise<Pick<StackOrigin, 'output' | 'optional'>> {
  let says = 'There is no stack';
  const found = await readStackOutputs(stackName).catch((error: unknown) => {
    // A policy names the stack with its region.
    if (!(error instanceof Error) || error.name !== 'AccessDenied') throw error;
    says = 'You have no access to a stack';
  });
  if (found === undefined) {
    const place = `this account and region (${await operatorRegion()})`;
    throw failure(`${says} ${stackName} in ${place}. For another region, set AWS_REGION.`);
  }
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
    origin: { kind: 'stack', stack: stackName, construct, output, optional },
    close,
  };
}

/** Connects to the folder's instance, or starts its DynamoDB. */
async function openFolder(folder: string): Promise<Deployment> {
  const { DYNAMODB_ENDPOINT: endpoint, KEY_ABBREVIATION: keyAbbreviation } = process.env;
  for (let attempt = 1; ; attempt++) {
    const running = await findRunningInstance(folder);
    if (running !== undefined) return reach(folder, running, RUNNING_CACHE_MS);
    if (!endpoint && !existsSync(join(folder, 'dynamodb.db'))) {
      throw failure(
        `There is no local instance in ${folder}. Run "${START}" first, or give its folder with --data.`,
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

/** Undefined if no local instance is running. */
export const addressOf = ({ origin }: Deployment): string | undefined =>
  origin.kind === 'local' ? origin.url : origin.output('ApiUrl');

export function serviceUrl({ origin }: Deployment): string {
  if (origin.kind === 'stack') return origin.output('ApiUrl');
  if (origin.url !== undefined) return origin.url;
  throw failure(`No local instance is running on ${origin.folder}. Run "${START}" first.`);
}

/** Every deployment has this output, and other stacks do not. */
const MARK = 'KeyAbbreviation';

/** The CDK appends this hash to the id of an output inside a construct (AWS CDK, "Logical IDs"). */
const HASH = /[0-9A-F]{8}$/;

const pathOf = (key: string): string => key.replace(HASH, '');

/** The CDK leaves `Default` out of logical ids. */
const prefixOf = (construct: string): string =>
  construct
    .split('/')
    .filter((part) => part !== 'Default')
    .join('')
    .replaceAll(/[^A-Za-z0-9]/g, '');

type Outputs = ReadonlyMap<string, string>;

/**
 * The outputs of each deployment, by the path of its construct. The path is empty if the deployment is a whole stack.
 */
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

function chooseOutputs(stackName: string, outputs: Outputs, construct: string | undefined): Outputs {
  const deployments = deploymentsIn(outputs);
  const names = [...deployments.keys()].sort();
  if (construct !== undefined) {
    const chosen = deployments.get(prefixOf(construct));
    if (chosen !== undefined) return chosen;
    const there = names.length === 0 ? 'none' : names.map((name) => name || 'Default').join(', ');
    throw failure(`The stack ${stackName} has no deployment ${construct}. It has: ${there}.`);
  }
  const [first = outputs, ...others] = deployments.values();
  if (others.length === 0) return first;
  throw failure(
    `The stack ${stackName} has several deployments: ${names.map((name) => name || 'Default').join(', ')}. Choose one with --construct.`,
  );
}
