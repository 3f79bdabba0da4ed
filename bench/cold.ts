/** Fresh processes from their first instruction to their first reply, against the SDK alone; and the bundles they load. */

import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { build } from 'esbuild';
import * as z from 'zod';
import { BUNDLING, BUNDLING_AS_SHIPPED, writeFunctionBundles } from '../bin/build/function-bundles.ts';
import { temporaryDataFolder } from '../local/data-folder.ts';
import { listen } from '../local/listen.ts';
import { ENVIRONMENT } from '../shared/settings/environment.ts';
import type { Plan } from './plan.ts';
import type { Goal } from './report.ts';
import { HOT_ENDPOINTS, hotEvents } from './requests.ts';
import { onStage, SECRETS, type Stage } from './stage.ts';
import { median, medianRatio } from './statistics.ts';

const ROOT = join(import.meta.dirname, '..');
const CHILD = join(import.meta.dirname, 'cold-child.cjs');

interface Variant {
  readonly what: string;
  /** A function, or source text. */
  readonly entry: string;
  /** Whether the packages are in it as they ship, with nothing replaced or left out. */
  readonly isAsShipped?: boolean;
}

/** The floor of a cold start: the document client alone, one query. */
const FLOOR_SOURCE = `
  import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
  import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
  export async function handler() {
    const output = await client.send(new QueryCommand({
      TableName: process.env.TABLE_NAME,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': 'nobody' },
      ConsistentRead: true,
    }));
    return { statusCode: 200, body: JSON.stringify(output.Items) };
  }`;
const FLOOR = { what: 'floor', entry: FLOOR_SOURCE, isAsShipped: true };
const EQUAL_FLOOR = { what: 'floor, bundled as ours', entry: FLOOR_SOURCE };
const HOT_ROUTES = HOT_ENDPOINTS.map(({ route }) => route.name);
const VARIANTS: readonly Variant[] = [
  FLOOR,
  ...HOT_ROUTES.map((name) => ({ what: name, entry: name })),
  EQUAL_FLOOR,
  { what: 'bootstrap, the packages as shipped', entry: 'bootstrap', isAsShipped: true },
];

/** Writes a bundle, its map beside it. */
async function bundle(file: string, { entry, isAsShipped = false }: Variant) {
  const { outputFiles } = await build({
    ...(isAsShipped ? BUNDLING_AS_SHIPPED : BUNDLING),
    ...(entry.includes(' ')
      ? { stdin: { contents: entry, resolveDir: ROOT } }
      : { entryPoints: [`functions/${entry}.ts`] }),
    outfile: file,
    // Written from here: esbuild is a process of its own and would write on after this one was ended.
    write: false,
    logLevel: 'error',
  });
  for (const { path, contents } of outputFiles) writeFileSync(path, contents);
  const bytes = outputFiles.find(({ path }) => path === file)?.contents.length ?? Number.NaN;
  return bytes / 1_024;
}

/** Secrets Manager, as far as GetSecretValue. */
async function startSecretsStub() {
  const values: Readonly<Record<string, string>> = { 'arn:hash': SECRETS.hash, 'arn:ring': SECRETS.ring };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { SecretId } = JSON.parse(body);
    response.setHeader('content-type', 'application/x-amz-json-1.1');
    response.end(JSON.stringify({ Name: SecretId, SecretString: values[SecretId] }));
  });
  const endpoint = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { endpoint, stop };
}

/** What a deployed function finds in its environment. */
function functionEnvironment({ settings, endpoint }: Stage, secretsEndpoint: string, home: string) {
  return {
    [ENVIRONMENT.tableName]: settings.tableName,
    [ENVIRONMENT.stage]: settings.stage,
    [ENVIRONMENT.metricsNamespace]: 'Canvass',
    [ENVIRONMENT.keyAbbreviation]: settings.keyAbbreviation,
    [ENVIRONMENT.shards]: String(settings.shards),
    [ENVIRONMENT.defaultAddressRate]: '0',
    [ENVIRONMENT.hashSecretId]: 'arn:hash',
    [ENVIRONMENT.tokenRingId]: 'arn:ring',
    AWS_LAMBDA_FUNCTION_NAME: 'cold',
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsEndpoint,
    HOME: home,
  };
}

/** What cold-child.cjs prints. */
const childFigures = z.object({
  statusCode: z.literal([200, 201]),
  bootMs: z.number(),
  loadMs: z.number(),
  replyMs: z.number(),
  cpuMs: z.number(),
});

async function startCold(file: string, event: object, env: Record<string, string>) {
  const child = spawn(process.execPath, [CHILD, file, JSON.stringify(event)], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const chunk of child.stdout) output += chunk;
  const figures = childFigures.safeParse(JSON.parse(/^@(.*)$/m.exec(output)?.[1] ?? '{}'));
  if (!figures.success) throw new Error(`a cold start failed: ${output}`);
  const { bootMs, loadMs, replyMs, cpuMs } = figures.data;
  return { loadMs, replyMs, totalMs: bootMs + loadMs + replyMs, cpuMs };
}

type Start = Awaited<ReturnType<typeof startCold>>;

async function measureStarts(stage: Stage, rounds: number, folder: string) {
  const tenant = await stage.tenant();
  const service = stage.compose(stage.createClient());
  const eventFor = async (what: string) => {
    const { route } = HOT_ENDPOINTS.find((each) => each.route.name === what) ?? HOT_ENDPOINTS[0];
    const [event = {}] = await hotEvents(route, 1, tenant, service);
    return event;
  };
  const contestants: { variant: Variant; file: string; kilobytes: number; starts: Start[] }[] = [];
  for (const [index, variant] of VARIANTS.entries()) {
    const file = join(folder, `bundle-${index}.cjs`);
    contestants.push({ variant, file, kilobytes: await bundle(file, variant), starts: [] });
  }
  const secrets = await startSecretsStub();
  try {
    const env = functionEnvironment(stage, secrets.endpoint, folder);
    for (let round = 0; round < rounds; round += 1) {
      for (const { variant, file, starts } of contestants) {
        starts.push(await startCold(file, await eventFor(variant.what), env));
      }
    }
  } finally {
    secrets.stop();
  }
  return contestants.map(({ variant: { what }, kilobytes, starts }) => {
    const samples = (figure: keyof Start, of = starts) => of.map((start) => start[figure]);
    const ratio = (figure: keyof Start, to: string) => {
      const floor = contestants.find(({ variant }) => variant.what === to)?.starts;
      return medianRatio(samples(figure), samples(figure, floor));
    };
    return {
      bundle: what,
      KB: kilobytes,
      'load ms': median(samples('loadMs')),
      'first reply ms': median(samples('replyMs')),
      'total ms': median(samples('totalMs')),
      'CPU ms': median(samples('cpuMs')),
      'total / floor': ratio('totalMs', FLOOR.what),
      'CPU / floor': ratio('cpuMs', FLOOR.what),
      'total / equal floor': ratio('totalMs', EQUAL_FLOOR.what),
    };
  });
}

/** Kilobytes of every function as it is deployed. */
async function functionSizes(folder: string) {
  const { outputs } = await writeFunctionBundles(folder);
  return Object.entries(outputs).flatMap(([path, { bytes }]) => {
    const name = /([^/]+)\/index\.js$/.exec(path)?.[1];
    return name === undefined ? [] : [{ function: name, KB: bytes / 1_024 }];
  });
}

export function cold({ coldRounds }: Plan) {
  return onStage(async (stage) => {
    const { path, remove } = temporaryDataFolder();
    const removeAtExit = () => rmSync(path, { recursive: true, force: true });
    process.once('exit', removeAtExit);
    try {
      const starts = await measureStarts(stage, coldRounds, path);
      const bundles = await functionSizes(join(path, 'functions'));
      const goals: Goal[] = starts
        .filter((start) => HOT_ROUTES.includes(start.bundle))
        .map((start) => ({
          goal: `${start.bundle}, cold: time over the SDK's alone`,
          measured: start['total / floor'],
          atMost: 1.15,
        }));
      return { tables: { starts, bundles }, goals };
    } finally {
      process.off('exit', removeAtExit);
      remove();
    }
  });
}
