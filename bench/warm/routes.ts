/** Each route against the floor and the plain handler: what the code around one DynamoDB call costs. */

import { randomBytes, randomUUID } from 'node:crypto';
import { bootstrap } from '../../functions/bootstrap.ts';
import { mintTokens } from '../../functions/mint-tokens.ts';
import { createDependencies, type Dependencies } from '../../functions/runtime/dependencies.ts';
import type { Endpoint } from '../../functions/runtime/endpoint.ts';
import { createLogger } from '../../functions/runtime/logger.ts';
import { submitDismissal } from '../../functions/submit-dismissal.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { lambdaContext } from '../../local/lambda-context.ts';
import { respondentHash } from '../../shared/crypto/identity-hash.ts';
import { composeTokenId, TOKEN_ID_RANDOM_BYTES } from '../../shared/crypto/token-id.ts';
import { createDocumentClient } from '../../shared/data/table/client.ts';
import type { Answer } from '../../shared/domain/answer.ts';
import { HOUR } from '../../shared/domain/duration.ts';
import { type Contestant, type Figures, interleave } from '../interleave.ts';
import { type BenchTenant, HASH_SECRET, METRICS_NAMESPACE, SECRETS, type Stage } from '../stage.ts';
import { type FloorCall, floorItem, floorPut, floorQuery, TEXT } from './floor.ts';
import { gatewayEvent } from './gateway-event.ts';
import { plainHandler } from './plain-handler.ts';

export interface RouteFigures {
  readonly route: string;
  readonly floor: Figures;
  /** The floor's call, its chain prepared once, as ours does it. */
  readonly prepared: Figures;
  readonly plain: Figures;
  readonly handler: Figures;
}

interface Trial {
  readonly endpoint: Endpoint;
  readonly secretKey?: string;
  /** The bodies of as many requests. */
  readonly bodies: (runs: number) => Promise<object[]>;
  /** As many calls of the floor, ready to be made. */
  readonly calls: (runs: number) => FloorCall[];
}

const SINK = createLogger(() => undefined, { metricsNamespace: METRICS_NAMESPACE });

const next = <T>(queue: T[]): T => {
  const item = queue.pop();
  if (item === undefined) throw new Error('the round was not prepared');
  return item;
};

function contestants({ endpoint, secretKey, bodies, calls }: Trial, deps: Dependencies): Contestant[] {
  let floors: FloorCall[] = [];
  let events: ReturnType<typeof gatewayEvent>[] = [];
  const prepareFloor = async (runs: number) => {
    floors = calls(runs);
  };
  const handler = endpoint.create(deps);
  const plain = plainHandler(() => next(floors).bare());
  const { route } = endpoint;
  return [
    {
      name: 'floor',
      prepare: prepareFloor,
      run: async () => {
        await next(floors).bare();
      },
    },
    {
      name: 'floor, prepared',
      prepare: prepareFloor,
      run: async () => {
        await next(floors).prepared();
      },
    },
    {
      name: 'plain',
      async prepare(runs) {
        await prepareFloor(runs);
        events = (await bodies(runs)).map((body) => gatewayEvent(route, body, secretKey));
      },
      run: async () => {
        await plain(next(events));
      },
    },
    {
      name: 'handler',
      async prepare(runs) {
        events = (await bodies(runs)).map((body) => gatewayEvent(route, body, secretKey));
      },
      async run() {
        const { statusCode, body } = await handler(next(events), lambdaContext(route.name, 10_000));
        if (statusCode !== route.success.status) throw new Error(`${route.name}: ${statusCode} ${body}`);
      },
    },
  ];
}

function trials({ client, environment }: Stage, tenant: BenchTenant, deps: Dependencies): Trial[] {
  const { projectId, publishableKey: key, secretKey, surveys } = tenant;
  const { tableName, shards } = environment;
  const surveyId = surveys[0]?.id ?? '';
  const hash = (id: string) => respondentHash(HASH_SECRET, projectId, id);
  const people = (runs: number) => Array.from({ length: runs }, () => `user-${randomUUID()}`);
  const queries = (runs: number) =>
    people(runs).map((id) => {
      return floorQuery(client, tableName, projectId, hash(id));
    });
  const puts = (kind: Answer['kind']) => (runs: number) =>
    people(runs).map((respondentId) => {
      const now = Date.now();
      const tokenId = composeTokenId(now, randomBytes(TOKEN_ID_RANDOM_BYTES));
      const claims = { tokenId, surveyId, respondentId, expiresAt: now + HOUR };
      const id = randomBytes(32).toString('base64url');
      const redemption = { id, projectId, claims, writeId: randomUUID(), now };
      const item = floorItem(redemption, kind, hash(respondentId), shards);
      return floorPut(client, tableName, item);
    });
  const submissions = (rest: object) => async (runs: number) => {
    const now = Date.now();
    const users = people(runs);
    const grants = users.map((respondentId) => ({ surveyId, respondentId, expiresAt: now + HOUR }));
    const tokens = await deps.tokens.issue(projectId, grants, now);
    return tokens.map((showToken, index) => ({ key, userId: users[index], surveyId, showToken, ...rest }));
  };
  return [
    {
      endpoint: bootstrap,
      bodies: async (runs) => people(runs).map((userId) => ({ key, userId, traits: { plan: 'pro' } })),
      calls: queries,
    },
    {
      endpoint: submitResponse,
      bodies: submissions({ rating: 9, text: TEXT }),
      calls: puts('response'),
    },
    { endpoint: submitDismissal, bodies: submissions({}), calls: puts('dismissal') },
    {
      endpoint: mintTokens,
      secretKey,
      bodies: async (runs) => people(runs).map((respondentId) => ({ respondentId, sessionId: randomUUID() })),
      calls: queries,
    },
  ];
}

export async function measureRoutes(
  stage: Stage,
  plan: { readonly rounds: number; readonly runs: number },
): Promise<RouteFigures[]> {
  const tenant = await stage.tenant();
  const client = createDocumentClient({ endpoint: stage.endpoint });
  const deps = createDependencies(stage.environment, SECRETS, { client, log: SINK });
  const figures: RouteFigures[] = [];
  for (const trial of trials(stage, tenant, deps)) {
    const measured = await interleave(contestants(trial, deps), { ...plan, warmUp: 2 });
    const [floor, prepared, plain, handler] = measured;
    if (floor && prepared && plain && handler) {
      figures.push({ route: trial.endpoint.route.name, floor, prepared, plain, handler });
    }
  }
  client.destroy();
  return figures;
}
