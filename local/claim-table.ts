import { createHash } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { SecretSource } from '../shared/crypto/secret-source.ts';
import { LocalError } from './local-error.ts';

/**
 * Takes a table of a DynamoDB that others reach as well, once and for all, for the instances that have these secrets: another
 * one would count its answers a second time, and know none of its respondents, whose ids are hashed under the secret.
 *
 * @throws {LocalError} `table_in_use`
 */
export async function claimTable(
  client: DynamoDBDocumentClient,
  tableName: string,
  secrets: SecretSource,
): Promise<void> {
  const owner = createHash('sha256')
    .update(await secrets.readHashSecret())
    .digest('hex');
  try {
    await client.send(
      new PutCommand({
        TableName: tableName,
        Item: { pk: 'LOCAL', sk: 'OWNER', type: 'local-owner', owner },
        ConditionExpression: 'attribute_not_exists(pk) OR #owner = :owner',
        ExpressionAttributeNames: { '#owner': 'owner' },
        ExpressionAttributeValues: { ':owner': owner },
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    throw new LocalError(
      'table_in_use',
      `The table ${tableName} of this DYNAMODB_ENDPOINT belongs to another data folder. Use that folder (--data), or another DynamoDB.`,
    );
  }
}
