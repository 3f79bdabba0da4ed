import {
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  type TimeToLiveStatus,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';

const IS_ON: readonly (TimeToLiveStatus | undefined)[] = ['ENABLED', 'ENABLING'];

/** A restored table has time to live off (DynamoDB, "Restoring a table from a backup"), so nothing would expire. */
export async function switchTimeToLiveOn(
  client: DynamoDBClient,
  TableName: string,
  AttributeName: string,
): Promise<void> {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  if (IS_ON.includes(TimeToLiveDescription?.TimeToLiveStatus)) return;
  const TimeToLiveSpecification = { AttributeName, Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
}
