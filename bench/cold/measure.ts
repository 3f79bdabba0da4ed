/** Fresh processes from their first instruction to their first reply. */

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { createDependencies } from '../../functions/runtime/dependencies.ts';
import { routes } from '../../shared/contract/routes.ts';
import { parseTokenRing } from '../../shared/crypto/token-ring-json.ts';
import { HOUR } from '../../shared/domain/duration.ts';
import { ENVIRONMENT } from '../../shared/settings/environment.ts';
import { removeScratchFolder, scratchFolder } from '../scratch.ts';
import type { Stage } from '../stage.ts';
import { median } from '../statistics.ts';
import { gatewayEvent } from '../warm/gateway-event.ts';
import { HOT_ROUTES } from '../warm/hot-routes.ts';
import { type Bundle, bundle, type Variant } from './bundles.ts';
import { startSecretsStub } from './secrets-stub.ts';

const CHILD = join(import.meta.dirname, 'child.cjs');

const childFigures = z.object({
  statusCode: z.number(),
  bootMs: z.number(),
  loadMs: z.number(),
  replyMs: z.number(),
  cpuMs: z.number(),
});

type ChildFigures = z.infer<typeof childFigures>;

export interface ColdFigures {
  readonly name: string;
  readonly kilobytes: number;
  readonly loadMs: number;
  readonly replyMs: number;
  /** From the start of the process, Node's own start included. */
  readonly totalMs: number;
  readonly cpuMs: number;
  /** Medians over the rounds of this one's figure divided by the floor's, as shipped, in the same round. */
  readonly totalRatio: number;
  readonly cpuRatio: number;
  /** The same against the floor with our credentials. */
  readonly equalTotalRatio: number;
  readonly equalCpuRatio: number;
}

/** What the goals are judged against, and what carries our replacement for the SDK's credentials too. */
export const FLOORS = { shipped: 'floor', equal: 'floor, our credentials' } as const;

const REPLY = 'export const handler = async () => ({ statusCode: 200 });';

const SDK =
  "import { DynamoDBClient } from '@aws-sdk/client-dynamodb'; import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb'; export const kept = [DynamoDBClient, DynamoDBDocumentClient, QueryCommand];";

const variants: readonly Variant[] = [
  { name: FLOORS.shipped, entry: 'bench/cold/floor-entry.ts', searchesCredentials: true },
  ...HOT_ROUTES.map((name) => ({ name, entry: `functions/${name}.ts` })),
  { name: FLOORS.equal, entry: 'bench/cold/floor-entry.ts' },
  {
    name: "floor, Node's source maps",
    entry: 'bench/cold/floor-entry.ts',
    sourceMaps: true,
    searchesCredentials: true,
  },
  { name: "bootstrap, Node's source maps", entry: 'functions/bootstrap.ts', sourceMaps: true },
  { name: 'bootstrap, ESM', entry: 'functions/bootstrap.ts', format: 'esm' },
  { name: "bootstrap, the SDK's credentials", entry: 'functions/bootstrap.ts', searchesCredentials: true },
  { name: 'nothing', entry: { source: REPLY } },
  { name: 'nothing + document client', entry: { source: `${SDK}${REPLY}` } },
  {
    name: 'nothing + middy',
    entry: {
      source: `export * from '@middy/core'; export * as json from '@middy/http-json-body-parser'; ${REPLY}`,
    },
  },
  {
    name: 'nothing + zod/mini',
    entry: {
      source: `import * as z from 'zod/mini'; export const a = z.object({ a: z.string() }); ${REPLY}`,
    },
  },
  {
    name: 'nothing + zod',
    entry: {
      source: `import { z } from 'zod'; export const a = z.object({ a: z.string() }); ${REPLY}`,
    },
  },
];

function runChild(
  file: string,
  event: object,
  flags: readonly string[],
  env: Record<string, string>,
): Promise<ChildFigures> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...flags, CHILD, file, JSON.stringify(event)], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
    });
    child.on('error', reject);
    child.on('close', () => {
      const line = /^@(.*)$/m.exec(output)?.[1];
      const figures = line === undefined ? undefined : childFigures.parse(JSON.parse(line));
      if (figures?.statusCode === 200 || figures?.statusCode === 201) resolve(figures);
      else reject(new Error(`a cold start failed: ${output}`));
    });
  });
}

export async function measureColdStarts(stage: Stage, rounds: number): Promise<ColdFigures[]> {
  const folder = scratchFolder();
  const secrets = await startSecretsStub();
  try {
    const { projectId, publishableKey: key, secretKey, surveys } = await stage.tenant();
    const ring = JSON.stringify({ keys: [], initial: 'x9'.repeat(32) });
    const source = {
      readHashSecret: async () => Buffer.from('x9'.repeat(32)),
      readTokenRing: async () => parseTokenRing(ring),
    };
    const { tokens } = createDependencies(stage.environment, source, { client: stage.client });
    const surveyId = surveys[0]?.id ?? '';
    const env = {
      [ENVIRONMENT.tableName]: stage.environment.tableName,
      [ENVIRONMENT.stage]: stage.environment.stage,
      [ENVIRONMENT.metricsNamespace]: 'Canvass',
      [ENVIRONMENT.keyAbbreviation]: stage.environment.keyAbbreviation,
      [ENVIRONMENT.shards]: String(stage.environment.shards),
      [ENVIRONMENT.defaultAddressRate]: '0',
      [ENVIRONMENT.hashSecretId]: 'arn:hash',
      [ENVIRONMENT.tokenRingId]: 'arn:ring',
      AWS_LAMBDA_FUNCTION_NAME: 'cold',
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_ENDPOINT_URL_DYNAMODB: stage.endpoint,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.endpoint,
      HOME: folder,
    };
    async function eventFor(name: string): Promise<object> {
      const userId = randomUUID();
      if (name === 'mint-tokens') {
        return gatewayEvent(routes.mintTokens, { respondentId: userId, sessionId: 'session' }, secretKey);
      }
      if (!name.startsWith('submit')) return gatewayEvent(routes.bootstrap, { key, userId });
      const now = Date.now();
      const grant = { surveyId, respondentId: userId, expiresAt: now + HOUR };
      const [showToken] = await tokens.issue(projectId, [grant], now);
      const body = { key, userId, surveyId, showToken, rating: 9 };
      return gatewayEvent(name === 'submit-response' ? routes.submitResponse : routes.submitDismissal, body);
    }
    const bundles: Bundle[] = [];
    for (const [index, variant] of variants.entries()) bundles.push(await bundle(folder, index, variant));

    const samples = variants.map(() => [] as (ChildFigures & { totalMs: number })[]);
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, variant] of variants.entries()) {
        const flags = variant.sourceMaps === true ? ['--enable-source-maps'] : [];
        const figures = await runChild(bundles[index]?.file ?? '', await eventFor(variant.name), flags, env);
        samples[index]?.push({ ...figures, totalMs: figures.bootMs + figures.loadMs + figures.replyMs });
      }
    }
    return variants.map(({ name }, index) => {
      const own = samples[index] ?? [];
      const of = (figure: keyof ChildFigures | 'totalMs') => median(own.map((each) => each[figure]));
      const ratioOf = (figure: 'totalMs' | 'cpuMs', to: string) => {
        const floor = samples[variants.findIndex((variant) => variant.name === to)] ?? [];
        return median(own.map((each, round) => each[figure] / (floor[round]?.[figure] ?? Number.NaN)));
      };
      return {
        name,
        kilobytes: bundles[index]?.kilobytes ?? Number.NaN,
        loadMs: of('loadMs'),
        replyMs: of('replyMs'),
        totalMs: of('totalMs'),
        cpuMs: of('cpuMs'),
        totalRatio: ratioOf('totalMs', FLOORS.shipped),
        cpuRatio: ratioOf('cpuMs', FLOORS.shipped),
        equalTotalRatio: ratioOf('totalMs', FLOORS.equal),
        equalCpuRatio: ratioOf('cpuMs', FLOORS.equal),
      };
    });
  } finally {
    secrets.stop();
    removeScratchFolder(folder);
  }
}
