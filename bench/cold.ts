/** Fresh processes from their first instruction to their first reply, against the SDK alone; and the bundles they load. */

import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import * as z from 'zod';
import { listen } from '../local/listen.ts';
import { ENVIRONMENT } from '../shared/settings/environment.ts';
import { type Bundling, bundle, functionSizes } from './cold/bundle.ts';
import type { Goal } from './measured.ts';
import type { Plan } from './plan.ts';
import { HOT_ENDPOINTS, hotEvents } from './requests.ts';
import { removeScratchFolder, scratchFolder } from './scratch.ts';
import { onStage, SECRETS, type Stage } from './stage.ts';
import { median, medianRatio } from './statistics.ts';

const CHILD = join(import.meta.dirname, 'cold/child.cjs');

interface Variant extends Bundling {
  readonly what: string;
  /** Whether Node reads the map while it loads the bundle. */
  readonly readsMap?: boolean;
}

const FLOOR = { what: 'floor', entry: 'bench/cold/floor-entry.ts', isAsShipped: true };
const EQUAL_FLOOR = { what: 'floor, bundled as ours', entry: 'bench/cold/floor-entry.ts' };
const BOOTSTRAP = { what: 'bootstrap', entry: 'functions/bootstrap.ts' };
const HOT_ROUTES = HOT_ENDPOINTS.map(({ route }) => route.name);

/** A function that does nothing, and what it loads. */
const LOADS: Readonly<Record<string, string>> = {
  nothing: '',
  'nothing + document client':
    "export { DynamoDBClient } from '@aws-sdk/client-dynamodb'; export { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';",
  'nothing + middy': "export * from '@middy/core';",
  'nothing + zod/mini': "import * as z from 'zod/mini'; export const a = z.object({ a: z.string() });",
  'nothing + zod': "import { z } from 'zod'; export const a = z.object({ a: z.string() });",
};

const VARIANTS: readonly Variant[] = [
  FLOOR,
  ...HOT_ROUTES.map((name) => ({ what: name, entry: `functions/${name}.ts` })),
  EQUAL_FLOOR,
  { ...FLOOR, what: "floor, Node's source maps", readsMap: true },
  { ...BOOTSTRAP, what: "bootstrap, Node's source maps", readsMap: true },
  { ...BOOTSTRAP, what: 'bootstrap, ESM', format: 'esm' },
  { ...BOOTSTRAP, what: 'bootstrap, the packages as shipped', isAsShipped: true },
  ...Object.entries(LOADS).map(([what, loads]) => ({
    what,
    entry: { source: `${loads} export const handler = async () => ({ statusCode: 200 });` },
  })),
];

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

/** What cold/child.cjs prints. */
const childFigures = z.object({
  statusCode: z.number(),
  bootMs: z.number(),
  loadMs: z.number(),
  replyMs: z.number(),
  cpuMs: z.number(),
});

async function startCold(file: string, event: object, readsMap: boolean, env: Record<string, string>) {
  const flags = readsMap ? ['--enable-source-maps'] : [];
  const child = spawn(process.execPath, [...flags, CHILD, file, JSON.stringify(event)], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const chunk of child.stdout) output += chunk;
  const line = /^@(.*)$/m.exec(output)?.[1];
  const figures = line === undefined ? undefined : childFigures.parse(JSON.parse(line));
  if (figures?.statusCode !== 200 && figures?.statusCode !== 201)
    throw new Error(`a cold start failed: ${output}`);
  const { bootMs, loadMs, replyMs, cpuMs } = figures;
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
    contestants.push({ variant, ...(await bundle(join(folder, `bundle-${index}`), variant)), starts: [] });
  }
  const secrets = await startSecretsStub();
  try {
    const env = functionEnvironment(stage, secrets.endpoint, folder);
    for (let round = 0; round < rounds; round += 1) {
      for (const { variant, file, starts } of contestants) {
        starts.push(await startCold(file, await eventFor(variant.what), variant.readsMap === true, env));
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
      'total / floor, bundled as ours': ratio('totalMs', EQUAL_FLOOR.what),
      'CPU / floor, bundled as ours': ratio('cpuMs', EQUAL_FLOOR.what),
    };
  });
}

export function cold({ coldRounds }: Plan) {
  return onStage(async (stage) => {
    const folder = scratchFolder();
    try {
      const starts = await measureStarts(stage, coldRounds, folder);
      const bundles = await functionSizes();
      const goals: Goal[] = starts
        .filter((start) => HOT_ROUTES.includes(start.bundle))
        .map((start) => ({
          goal: `${start.bundle}, cold: time over the SDK's alone`,
          measured: start['total / floor'],
          atMost: 1.15,
        }));
      return { tables: { starts, bundles }, goals };
    } finally {
      removeScratchFolder(folder);
    }
  });
}
