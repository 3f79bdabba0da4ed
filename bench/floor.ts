/** The floor of an endpoint: the DynamoDB call that it makes, without the service around it. */

import type { PutItemCommandInput, QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Endpoint } from '../functions/runtime/endpoint.ts';
import { hotEvents, serve } from './requests.ts';
import type { Stage, Tenant } from './stage.ts';

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
export async function createFloor(stage: Stage, endpoint: Endpoint, tenant: Tenant) {
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
