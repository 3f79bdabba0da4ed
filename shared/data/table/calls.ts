/**
 * The SDK builds a middleware chain for every command, a fifth of a call's processor time (decision 43). Here each is
 * built once per client.
 */

import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';

type Chain<Input, Output> = (command: { readonly input: Input }) => Promise<{ readonly output: Output }>;

type Command<Input, Output> = new (
  input: Input,
) => {
  resolveMiddleware(
    stack: DynamoDBClient['middlewareStack'],
    config: DynamoDBClient['config'],
    options: object,
  ): Chain<Input, Output>;
};

/* @__NO_SIDE_EFFECTS__ */
function prepared<Input extends object, Output>(Prepared: Command<Input, Output>, empty: NoInfer<Input>) {
  const chains = new WeakMap<DynamoDBClient, Chain<Input, Output>>();
  return async (client: DynamoDBClient, input: Input): Promise<Output> => {
    let chain = chains.get(client);
    if (chain === undefined) {
      chain = new Prepared(empty).resolveMiddleware(client.middlewareStack, client.config, {});
      chains.set(client, chain);
    }
    return (await chain({ input })).output;
  };
}

export const query = prepared(QueryCommand, { TableName: undefined });
export const getItem = prepared(GetItemCommand, { TableName: undefined, Key: undefined });
export const batchGetItem = prepared(BatchGetItemCommand, { RequestItems: undefined });
export const putItem = prepared(PutItemCommand, { TableName: undefined, Item: undefined });
export const updateItem = prepared(UpdateItemCommand, { TableName: undefined, Key: undefined });
export const deleteItem = prepared(DeleteItemCommand, { TableName: undefined, Key: undefined });
export const batchWriteItem = prepared(BatchWriteItemCommand, { RequestItems: undefined });
export const transactWriteItems = prepared(TransactWriteItemsCommand, { TransactItems: undefined });
