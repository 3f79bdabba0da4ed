/** Fresh processes from their first instruction to their first reply, against the SDK alone; and the bundles they load. */

import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { build } from 'esbuild';
import * as z from 'zod';
import { BUNDLING, REPLACED } from '../lib/service-function.ts';
import { listen } from '../local/listen.ts';
import { ENVIRONMENT } from '../shared/settings/environment.ts';
import type { Goal } from './measured.ts';
import type { Plan } from './plan.ts';
import { gatewayEvent, HOT_ENDPOINTS, hotBodies } from './requests.ts';
import { removeScratchFolder, scratchFolder } from './scratch.ts';
import { onStage, SECRETS, type Stage } from './stage.ts';
import { median, medianRatio } from './statistics.ts';

const ROOT = join(import.meta.dirname, '..');

interface Variant {
  readonly what: string;
  /** A file from the repository's root, or source text. */
  readonly entry: string | { readonly source: string };
  readonly format?: 'esm';
  /** Whether Node reads the map while it loads the bundle; the map is there in any case. */
  readonly sourceMaps?: boolean;
  /** Whether the SDK's own search for credentials is in the bundle; ours stands for it otherwise. */
  readonly searchesCredentials?: boolean;
}

const FLOOR = { what: 'floor', entry: 'bench/cold/floor-entry.ts', searchesCredentials: true };
const EQUAL_FLOOR = { what: 'floor, our credentials', entry: 'bench/cold/floor-entry.ts' };
const BOOTSTRAP = { what: 'bootstrap', entry: 'functions/bootstrap.ts' };
const HOT_ROUTES = HOT_ENDPOINTS.map(({ route }) => route.name);

const nothingBut = (source: string) => ({
  source: `${source} export const handler = async () => ({ statusCode: 200 });`,
});

const VARIANTS: readonly Variant[] = [
  FLOOR,
  ...HOT_ROUTES.map((name) => ({ what: name, entry: `functions/${name}.ts` })),
  EQUAL_FLOOR,
  { ...FLOOR, what: "floor, Node's source maps", sourceMaps: true },
  { ...BOOTSTRAP, what: "bootstrap, Node's source maps", sourceMaps: true },
  { ...BOOTSTRAP, what: 'bootstrap, ESM', format: 'esm' },
  { ...BOOTSTRAP, what: "bootstrap, the SDK's credentials", searchesCredentials: true },
  { what: 'nothing', entry: nothingBut('') },
  {
    what: 'nothing + document client',
    entry: nothingBut(
      "export { DynamoDBClient } from '@aws-sdk/client-dynamodb'; export { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';",
    ),
  },
  {
    what: 'nothing + middy',
    entry: nothingBut("export * from '@middy/core'; export * as json from '@middy/http-json-body-parser';"),
  },
  {
    what: 'nothing + zod/mini',
    entry: nothingBut("import * as z from 'zod/mini'; export const a = z.object({ a: z.string() });"),
  },
  {
    what: 'nothing + zod',
    entry: nothingBut("import { z } from 'zod'; export const a = z.object({ a: z.string() });"),
  },
];

const ESM_REQUIRE =
  "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);";

/** As it is deployed, but for what the variant says. */
async function bundle(folder: string, index: number, variant: Variant) {
  const { entry, format = BUNDLING.format, searchesCredentials = false } = variant;
  const file = join(folder, `bundle-${index}.${format === 'esm' ? 'mjs' : 'cjs'}`);
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    ...(typeof entry === 'string'
      ? { entryPoints: [entry] }
      : { stdin: { contents: entry.source, resolveDir: ROOT, loader: 'ts' } }),
    outfile: file,
    bundle: true,
    // Written from here: esbuild is a process of its own and would write on after this one was ended.
    write: false,
    platform: 'node',
    target: 'node24',
    format,
    mainFields: BUNDLING.mainFields,
    minify: BUNDLING.minify,
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'error',
    ...(!searchesCredentials && { alias: { ...REPLACED } }),
    ...(format === 'esm' && { banner: { js: ESM_REQUIRE } }),
  });
  for (const { path, contents } of outputFiles) await writeFile(path, contents);
  const bytes = outputFiles.find(({ path }) => !path.endsWith('.map'))?.contents.length ?? Number.NaN;
  return { file, kilobytes: bytes / 1_024 };
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
function functionEnvironment({ environment, endpoint }: Stage, secretsEndpoint: string, home: string) {
  return {
    [ENVIRONMENT.tableName]: environment.tableName,
    [ENVIRONMENT.stage]: environment.stage,
    [ENVIRONMENT.metricsNamespace]: 'Canvass',
    [ENVIRONMENT.keyAbbreviation]: environment.keyAbbreviation,
    [ENVIRONMENT.shards]: String(environment.shards),
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

async function startCold(file: string, event: object, sourceMaps: boolean, env: Record<string, string>) {
  const flags = sourceMaps ? ['--enable-source-maps'] : [];
  const child = spawn(
    process.execPath,
    [...flags, join(ROOT, 'bench/cold/child.cjs'), file, JSON.stringify(event)],
    { env, stdio: ['ignore', 'pipe', 'inherit'] },
  );
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
  const deps = stage.compose(stage.createClient());
  const eventFor = async (what: string) => {
    const { route } = HOT_ENDPOINTS.find((each) => each.route.name === what) ?? HOT_ENDPOINTS[0];
    const [body = {}] = await hotBodies(route.name, 1, tenant, deps);
    return gatewayEvent(route, body, tenant);
  };
  const contestants: { variant: Variant; file: string; kilobytes: number; starts: Start[] }[] = [];
  for (const [index, variant] of VARIANTS.entries()) {
    contestants.push({ variant, ...(await bundle(folder, index, variant)), starts: [] });
  }
  const secrets = await startSecretsStub();
  try {
    const env = functionEnvironment(stage, secrets.endpoint, folder);
    for (let round = 0; round < rounds; round += 1) {
      for (const { variant, file, starts } of contestants) {
        starts.push(await startCold(file, await eventFor(variant.what), variant.sourceMaps === true, env));
      }
    }
  } finally {
    secrets.stop();
  }
  const samples = (what: string, of: keyof Start) =>
    contestants.find(({ variant }) => variant.what === what)?.starts.map((start) => start[of]) ?? [];
  return contestants.map(({ variant: { what }, kilobytes }) => ({
    bundle: what,
    KB: kilobytes,
    'load ms': median(samples(what, 'loadMs')),
    'first reply ms': median(samples(what, 'replyMs')),
    'total ms': median(samples(what, 'totalMs')),
    'CPU ms': median(samples(what, 'cpuMs')),
    'total / floor': medianRatio(samples(what, 'totalMs'), samples(FLOOR.what, 'totalMs')),
    'CPU / floor': medianRatio(samples(what, 'cpuMs'), samples(FLOOR.what, 'cpuMs')),
    'total / floor, our credentials': medianRatio(
      samples(what, 'totalMs'),
      samples(EQUAL_FLOOR.what, 'totalMs'),
    ),
    'CPU / floor, our credentials': medianRatio(samples(what, 'cpuMs'), samples(EQUAL_FLOOR.what, 'cpuMs')),
  }));
}

/** Kilobytes of every function as it is deployed. */
async function measureBundles(folder: string) {
  const entries = globSync('functions/{*,purge/*}.ts', { cwd: ROOT })
    .filter((entry) => readFileSync(join(ROOT, entry), 'utf8').includes('export const handler'))
    .sort();
  const sizes: { function: string; KB: number }[] = [];
  for (const entry of entries) {
    const name = entry.replace(/^functions\//, '').replace(/\.ts$/, '');
    const { kilobytes } = await bundle(folder, VARIANTS.length, { what: name, entry });
    sizes.push({ function: name, KB: kilobytes });
  }
  return sizes;
}

export function cold({ coldRounds }: Plan) {
  return onStage(async (stage) => {
    const folder = scratchFolder();
    try {
      const starts = await measureStarts(stage, coldRounds, folder);
      const bundles = await measureBundles(folder);
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
