/** Compares a warm request of each hot route with its floor: the DynamoDB call that it makes, without the service. */

import type { PutItemCommandInput, QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Endpoint } from '../functions/runtime/endpoint.ts';
import { median, medianRatio, quantile } from './figures.ts';
import { HOT_ENDPOINTS, hotEvents, onStage, type Stage, serve, type Tenant } from './stage.ts';

type FloorCall = () => Promise<unknown>;

const isQuery = (input: object): input is QueryCommandInput => 'KeyConditionExpression' in input;
const isPut = (input: object): input is PutItemCommandInput => 'Item' in input;

/** Sends a native input as a user of the document client would. */
function floorCall(client: DynamoDBDocumentClient, input: object): FloorCall {
  if (isQuery(input)) {
    const { ExclusiveStartKey: _, ...page } = input;
    const values = unmarshall(page.ExpressionAttributeValues ?? {});
    return () => client.send(new QueryCommand({ ...page, ExpressionAttributeValues: values }));
  }
  if (!isPut(input)) throw new Error('A hot route makes one Query or one PutItem.');
  const { ExpressionAttributeValues: _, ...options } = input;
  const item = unmarshall(input.Item ?? {});
  return () => client.send(new PutCommand({ ...options, Item: item }));
}

/**
 * Captures the calls of a hot endpoint just before they are sent, so that floor and endpoint make the same call.
 *
 * @returns prepares calls that have not been sent
 * @throws Error when a request makes more or fewer than one call
 */
async function createFloor(stage: Stage, endpoint: Endpoint, tenant: Tenant) {
  const { route } = endpoint;
  const client = stage.createClient();
  const captured: object[] = [];
  let isCapturing = false;
  client.middlewareStack.add(
    (next) => async (args) => {
      if (!isCapturing) return next(args);
      captured.push(args.input);
      return { output: { $metadata: {} }, response: undefined };
    },
    { step: 'serialize', priority: 'high' },
  );
  const service = stage.compose(client);
  const handle = serve(endpoint, service);
  const shipped = stage.createShippedClient();

  async function calls(count: number): Promise<FloorCall[]> {
    for (const event of await hotEvents(route, count, tenant, service)) await handle(event);
    return captured.splice(0).map((input) => floorCall(shipped, input));
  }

  // The first request reads the project's settings and notes the day's use of a secret key.
  await calls(1);
  isCapturing = true;
  return async (count: number): Promise<FloorCall[]> => {
    const made = await calls(count);
    if (made.length !== count) throw new Error(`${route.name}: ${made.length} calls in ${count} requests`);
    return made;
  };
}

/** Rounds at the start whose samples are discarded. */
const WARM_UP = 2;

/** Prepares the runs of a round. The preparation is not measured. */
type Prepare = (runs: number) => Promise<(() => Promise<unknown>)[]>;

/** Samples of one contestant: milliseconds of each run, and of each round their median and CPU microseconds per run. */
function createSamples(prepare: Prepare) {
  const empty = (): number[] => [];
  return { prepare, times: empty(), p50: empty(), cpu: empty() };
}

/** Runs both contestants in turns, so that other load on the machine affects both. */
async function interleave([floor, handler]: readonly [Prepare, Prepare], rounds: number, runs: number) {
  const both = [createSamples(floor), createSamples(handler)] as const;
  for (let turn = -WARM_UP; turn < rounds; turn += 1) {
    for (const { prepare, ...samples } of turn % 2 === 0 ? both : both.toReversed()) {
      const ready = await prepare(runs);
      const times: number[] = [];
      const before = process.cpuUsage();
      for (const run of ready) {
        const startedAt = performance.now();
        await run();
        times.push(performance.now() - startedAt);
      }
      const { user, system } = process.cpuUsage(before);
      if (turn < 0) continue;
      samples.times.push(...times);
      samples.p50.push(median(times));
      samples.cpu.push((user + system) / runs);
    }
  }
  return both;
}

/** A row for each hot route. */
export function warm(rounds: number, requests: number) {
  return onStage(async (stage) => {
    const tenant = await stage.tenant();
    const service = stage.compose(stage.createClient());
    const rows = [];
    for (const endpoint of HOT_ENDPOINTS) {
      const { route } = endpoint;
      const handle = serve(endpoint, service);
      const prepareHandler: Prepare = async (runs) =>
        (await hotEvents(route, runs, tenant, service)).map((event) => () => handle(event));
      const prepareFloor = await createFloor(stage, endpoint, tenant);
      const [floor, handler] = await interleave([prepareFloor, prepareHandler], rounds, requests);
      rows.push({
        route: route.name,
        'floor p50 ms': median(floor.times),
        'p50 ms': median(handler.times),
        'p99 ms': quantile(handler.times, 0.99),
        'floor CPU µs': median(floor.cpu),
        'CPU µs': median(handler.cpu),
        'p50 / floor': medianRatio(handler.p50, floor.p50),
        'CPU / floor': medianRatio(handler.cpu, floor.cpu),
      });
    }
    return rows;
  });
}
