/** Compares cold starts of the hot routes with the SDK alone: fresh processes up to their first reply. */

import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { build } from 'esbuild';
import * as z from 'zod';
import { BUNDLING, BUNDLING_AS_SHIPPED } from '../bin/build/function-bundles.ts';
import type { Endpoint } from '../functions/runtime/endpoint.ts';
import { temporaryDataFolder } from '../local/data-folder.ts';
import { listen } from '../local/listen.ts';
import { ENVIRONMENT } from '../shared/settings/environment.ts';
import { median, medianRatio } from './figures.ts';
import { HOT_ENDPOINTS, hotEvents, onStage, SECRETS, type Stage } from './stage.ts';

const ROOT = join(import.meta.dirname, '..');
const CHILD = join(import.meta.dirname, 'cold-child.cjs');

/** The floor of a cold start: the unmodified SDK and the document client make one query. */
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
const FLOOR = 'floor';

/** Writes the bundle of a route or the floor, and its source map. @returns kilobytes */
async function bundle(file: string, name: string): Promise<number> {
  const { outputFiles } = await build({
    ...(name === FLOOR
      ? { ...BUNDLING_AS_SHIPPED, stdin: { contents: FLOOR_SOURCE, resolveDir: ROOT } }
      : { ...BUNDLING, entryPoints: [`functions/${name}.ts`] }),
    outfile: file,
    // esbuild runs in its own process, which would continue to write after this process ends.
    write: false,
    logLevel: 'error',
  });
  for (const { path, contents } of outputFiles) writeFileSync(path, contents);
  const bytes = outputFiles.find(({ path }) => path === file)?.contents.length ?? Number.NaN;
  return bytes / 1_024;
}

/** Stands in for GetSecretValue of Secrets Manager. */
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

/** The environment of a deployed function. */
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

/** The output of cold-child.cjs. */
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
  if (!figures.success) throw new Error(`A cold start failed: ${output}`);
  const { bootMs, loadMs, replyMs, cpuMs } = figures.data;
  return { loadMs, replyMs, totalMs: bootMs + loadMs + replyMs, cpuMs };
}

type Start = Awaited<ReturnType<typeof startCold>>;

async function measureStarts(stage: Stage, rounds: number, folder: string) {
  const tenant = await stage.tenant();
  const service = stage.compose(stage.createClient());
  const [bootstrapping] = HOT_ENDPOINTS;
  const contestant = (name: string, { route }: Pick<Endpoint, 'route'> = bootstrapping) => {
    const starts: Start[] = [];
    return { name, route, starts, file: join(folder, `${name}.cjs`) };
  };
  const floor = contestant(FLOOR);
  const contestants = [floor, ...HOT_ENDPOINTS.map((endpoint) => contestant(endpoint.route.name, endpoint))];
  const kilobytes = new Map<string, number>();
  for (const { name, file } of contestants) kilobytes.set(name, await bundle(file, name));
  const secrets = await startSecretsStub();
  try {
    const env = functionEnvironment(stage, secrets.endpoint, folder);
    for (let round = 0; round < rounds; round += 1) {
      for (const { file, route, starts } of contestants) {
        const [event = {}] = await hotEvents(route, 1, tenant, service);
        starts.push(await startCold(file, event, env));
      }
    }
  } finally {
    secrets.stop();
  }
  return contestants.map(({ name, starts }) => {
    const samples = (figure: keyof Start, of = starts) => of.map((start) => start[figure]);
    const ratio = (figure: keyof Start) => medianRatio(samples(figure), samples(figure, floor.starts));
    return {
      bundle: name,
      KB: kilobytes.get(name) ?? Number.NaN,
      'load ms': median(samples('loadMs')),
      'first reply ms': median(samples('replyMs')),
      'total ms': median(samples('totalMs')),
      'CPU ms': median(samples('cpuMs')),
      'total / floor': ratio('totalMs'),
      'CPU / floor': ratio('cpuMs'),
    };
  });
}

/** A row for the floor, then one for each hot route. */
export function cold(rounds: number) {
  return onStage(async (stage) => {
    const { path, remove } = temporaryDataFolder();
    const removeAtExit = () => rmSync(path, { recursive: true, force: true });
    process.once('exit', removeAtExit);
    try {
      return await measureStarts(stage, rounds, path);
    } finally {
      process.off('exit', removeAtExit);
      remove();
    }
  });
}
