import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  ResourceNotFoundException as TableNotFoundException,
  type TimeToLiveStatus,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import { realPause, retrying } from '../table/retry.ts';
import { type AwsCall, type AwsIdentity, type AwsProtocol, createAwsCall } from './aws-call.ts';

async function withClient<T>(work: (client: SecretsManagerClient) => Promise<T>): Promise<T> {
  const client = new SecretsManagerClient({});
  return work(client).finally(() => client.destroy());
}

const REQUEST_TIMEOUT_MS = 20_000;

async function operatorIdentity(): Promise<AwsIdentity> {
  const { config } = new CloudFormationClient({});
  return { region: await config.region(), credentials: config.credentials };
}

export const operatorRegion = async (): Promise<string> => (await operatorIdentity()).region;

export async function callAsOperator(
  service: string,
  protocol: AwsProtocol,
  endpoint = process.env.AWS_ENDPOINT_URL,
): Promise<AwsCall> {
  const identity = await operatorIdentity();
  const aws = { ...protocol, name: service, service, endpoint, identity };
  return createAwsCall({ ...aws, requestTimeoutMs: REQUEST_TIMEOUT_MS });
}

export const queueCall = (endpoint: string): Promise<AwsCall> =>
  callAsOperator('sqs', { target: 'AmazonSQS', json: '1.0' }, endpoint);

/** Without its value. */
export const describeSecretAsOperator = (id: string) =>
  withClient((client) => client.send(new DescribeSecretCommand({ SecretId: id })));

export async function readSecretAsOperator(id: string): Promise<string> {
  const { SecretString } = await withClient((client) =>
    client.send(new GetSecretValueCommand({ SecretId: id })),
  );
  if (SecretString === undefined) throw new Error('a secret of the deployment has no text value');
  return SecretString;
}

/** The previous version keeps the stage AWSPREVIOUS. */
export async function writeSecretAsOperator(id: string, text: string): Promise<void> {
  await withClient((client) => client.send(new PutSecretValueCommand({ SecretId: id, SecretString: text })));
}

interface SecretVersion {
  readonly text: string;
  readonly versionId: string;
}

export async function readVersionAsOperator(id: string): Promise<SecretVersion | undefined> {
  try {
    const { SecretString = '', VersionId = '' } = await withClient((client) =>
      client.send(new GetSecretValueCommand({ SecretId: id })),
    );
    return { text: SecretString, versionId: VersionId };
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/**
 * Secrets Manager accepts each version id once (PutSecretValue: ClientRequestToken).
 * @param versionId 32 to 64 characters
 * @returns false if the version exists with another text
 */
export async function writeVersionAsOperator(id: string, text: string, versionId: string): Promise<boolean> {
  const command = new PutSecretValueCommand({
    SecretId: id,
    SecretString: text,
    ClientRequestToken: versionId,
  });
  try {
    await withClient((client) => client.send(command));
    return true;
  } catch (error) {
    if (error instanceof ResourceExistsException) return false;
    throw error;
  }
}

export async function readStackOutputs(stackName: string): Promise<ReadonlyMap<string, string> | undefined> {
  const client = new CloudFormationClient({});
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
    const outputs = Stacks?.[0]?.Outputs ?? [];
    return new Map(outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
  } catch (error) {
    if (error instanceof Error && error.name === 'ValidationError' && error.message.includes('not exist')) {
      return undefined;
    }
    throw error;
  } finally {
    client.destroy();
  }
}

/** The resources of a stack with the properties of its template, which may refer to other resources. */
export async function readStack(StackName: string) {
  const client = new CloudFormationClient({});
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName }));
    const { TemplateBody = '{}' } = await client.send(new GetTemplateCommand({ StackName }));
    const { Resources = {} }: { Resources?: Record<string, { Properties?: Record<string, unknown> }> } =
      JSON.parse(TemplateBody);
    const parts = [];
    for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName }))
      for (const {
        LogicalResourceId: name = '',
        PhysicalResourceId: id = '',
        ResourceType: type,
      } of StackResourceSummaries)
        parts.push({ type, id, properties: Resources[name]?.Properties ?? {} });
    return { status: Stacks?.[0]?.StackStatus ?? '', parts };
  } finally {
    client.destroy();
  }
}

/** AWS Lambda admits 15 requests a second to its control plane ("Lambda quotas"). */
const RETRIES = { attempts: 5, firstPauseMs: 100, pause: realPause, jitter: () => Math.random() };

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** @throws Error if AWS throttles or fails five times */
export const askAsOperator = (...asked: Parameters<typeof askOnce>): Promise<Answer> =>
  retrying(RETRIES, async () => {
    const answer = await askOnce(...asked);
    if (answer.status !== 429 && answer.status < 500) return { result: answer };
    return { retry: new Error(`${asked[0]} answered ${answer.status} for ${asked[1]}`) };
  });

async function askOnce(
  service: string,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const { region, credentials } = await operatorIdentity();
  const own = `https://${service}.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  const url = new URL(path, process.env.AWS_ENDPOINT_URL ?? own);
  const { protocol, hostname, port, host, pathname } = url;
  const signer = new SignatureV4({ service, region, credentials, sha256: Sha256 });
  const request = new HttpRequest({
    method: 'GET',
    protocol,
    hostname,
    ...(port !== '' && { port: Number(port) }),
    path: pathname,
    query: { ...query },
    headers: { host },
  });
  const { headers } = await signer.sign(request);
  const { host: _, ...sent } = headers;
  url.search = new URLSearchParams(query).toString();
  const reply = await fetch(url, { headers: sent });
  return { status: reply.status, body: await reply.json().catch(() => undefined) };
}

/** @throws ResourceNotFoundException */
export const readTable = async (client: DynamoDBClient, TableName: string) => ({
  ...(await client.send(new DescribeTableCommand({ TableName }))).Table,
  ...(await client.send(new DescribeContinuousBackupsCommand({ TableName }))).ContinuousBackupsDescription,
  ...(await client.send(new DescribeTimeToLiveCommand({ TableName }))).TimeToLiveDescription,
});

export const isOfLostTable = (error: unknown): boolean => error instanceof TableNotFoundException;

const IS_ON: readonly (TimeToLiveStatus | undefined)[] = ['ENABLED', 'ENABLING'];

/** A restored table has time to live off (DynamoDB, "Restoring a table from a backup"). */
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
