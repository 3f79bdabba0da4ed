/**
 * The two calls that nearly every request makes, prepared once: the SDK builds its chain of middleware anew for each
 * command, a fifth of what a call costs the processor (docs/decisions/0043). Its own remedy, `cacheMiddleware`, is closed
 * to the document client; so these speak DynamoDB's own format, through the same middleware as every other call.
 */

import {
  PutItemCommand,
  type PutItemCommandInput,
  type PutItemCommandOutput,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from './item.ts';

type Handler<Input, Output> = (command: { readonly input: Input }) => Promise<{ readonly output: Output }>;

/** A chain per client, resolved for an input of nobody's: the chain keeps it as long as the client lives. */
function prepared<Input extends object, Output>(
  resolve: (client: DynamoDBDocumentClient) => Handler<Input, Output>,
) {
  const handlers = new WeakMap<DynamoDBDocumentClient, Handler<Input, Output>>();
  return async (client: DynamoDBDocumentClient, input: Input): Promise<Output> => {
    let handler = handlers.get(client);
    if (handler === undefined) {
      handler = resolve(client);
      handlers.set(client, handler);
    }
    return (await handler({ input })).output;
  };
}

const sendQuery = prepared<QueryCommandInput, QueryCommandOutput>(({ middlewareStack, config }) =>
  new QueryCommand({ TableName: undefined }).resolveMiddleware(middlewareStack, config, {}),
);

const sendPut = prepared<PutItemCommandInput, PutItemCommandOutput>(({ middlewareStack, config }) =>
  new PutItemCommand({ TableName: undefined, Item: undefined }).resolveMiddleware(
    middlewareStack,
    config,
    {},
  ),
);

interface Page {
  readonly items: readonly Item[];
  /** The last key that was looked at, when there may be more behind it. */
  readonly lastKey?: Item;
}

/** One page of a query, its values as the document client takes them. */
export async function queryPage(
  client: DynamoDBDocumentClient,
  values: Readonly<Record<string, unknown>>,
  query: Omit<QueryCommandInput, 'ExpressionAttributeValues'>,
): Promise<Page> {
  const { Items = [], LastEvaluatedKey } = await sendQuery(client, {
    ...query,
    ExpressionAttributeValues: marshall(values),
  });
  return {
    items: Items.map((item) => unmarshall(item)),
    ...(LastEvaluatedKey !== undefined && { lastKey: unmarshall(LastEvaluatedKey) }),
  };
}

/** Puts an item; attributes that are undefined are left out. */
export async function putItem(
  client: DynamoDBDocumentClient,
  item: Item,
  options: Omit<PutItemCommandInput, 'Item'>,
): Promise<void> {
  await sendPut(client, { ...options, Item: marshall(item, { removeUndefinedValues: true }) });
}
