import { vi } from 'vitest';
import { formatTokenRing } from '../../../shared/crypto/token-ring.ts';
import type { PurgeScope } from '../../../shared/domain/purge.ts';
import { serve } from '../serve.ts';
import { TEST_HASH_SECRET, TEST_TOKEN_KEY } from '../service/test-secrets.ts';
import type { AccountRegion } from './stage-account.ts';

export const stackOutputs = (table: {
  readonly tableName: string;
  readonly erasureLogTableName: string;
}) => ({
  TableName: table.tableName,
  ErasureLogTableName: table.erasureLogTableName,
  HashSecretName: 'hash-secret',
  TokenRingName: 'token-ring',
  PurgeStateMachineArn: 'arn:aws:states:eu-west-1:123456789012:stateMachine:canvass-prod-purge',
  KeyAbbreviation: 'svc',
  IndexShards: '4',
});

export const stackSecrets = (): Record<string, string> => ({
  'hash-secret': Buffer.from(TEST_HASH_SECRET).toString(),
  'token-ring': formatTokenRing([TEST_TOKEN_KEY]),
});

/** Environment variables that send a program's AWS requests to this address. */
export const awsEnvironment = (url: string) => ({
  AWS_ACCESS_KEY_ID: 'a',
  AWS_SECRET_ACCESS_KEY: 's',
  AWS_REGION: 'eu-west-1',
  AWS_ENDPOINT_URL: url,
});

export function stubAws(url: string): void {
  for (const [name, value] of Object.entries(awsEnvironment(url))) vi.stubEnv(name, value);
}

/** One permission that a request needs, such as `dynamodb:Query` on an ARN. */
export interface NeededPermission {
  readonly action: string;
  readonly resource: string;
}

export interface AwsStandIn {
  readonly url: string;
  /** The permissions that were needed so far. */
  readonly needed: NeededPermission[];
  stop(): void;
}

interface Part {
  readonly TableName: string;
}

interface Input {
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly RequestItems?: Readonly<Record<string, unknown>>;
  readonly TransactItems?: readonly Readonly<Record<string, Part>>[];
  readonly SecretId?: string;
  readonly SecretString?: string;
  readonly ClientRequestToken?: string;
  readonly stateMachineArn?: string;
  readonly QueueUrl?: string;
  readonly ReceiptHandle?: string;
  readonly input?: string;
}

const ACTION_OF_PART: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

const ACCOUNT_ID = '123456789012';

/** A transaction needs the permission of each of its parts (DynamoDB, "Transactions: IAM"). */
function dynamodbPermissions(operation: string, input: Input, place: string): NeededPermission[] {
  const on = (action: string, table: string, index = ''): NeededPermission => ({
    action: `dynamodb:${action}`,
    resource: `arn:aws:dynamodb:${place}:table/${table}${index && `/index/${index}`}`,
  });
  if (input.TransactItems !== undefined) {
    return input.TransactItems.flatMap((parts) =>
      Object.entries(parts).map(([part, { TableName }]) => on(ACTION_OF_PART[part] ?? part, TableName)),
    );
  }
  const tables = input.TableName === undefined ? Object.keys(input.RequestItems ?? {}) : [input.TableName];
  return tables.map((table) => on(operation, table, input.IndexName));
}

interface StandInParts {
  readonly stack?: string;
  /** Address of the embedded DynamoDB, which receives DynamoDB's requests. */
  readonly dynamodb: string;
  /** Outputs of the stack, by name. They are read for each request. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly secrets?: Record<string, string>;
  /** Message bodies by queue name. Received messages are hidden from then on. */
  readonly queues?: Readonly<Record<string, string[]>>;
  /** Executes the state machine. By default, nothing is executed. */
  readonly execute?: (scope: PurgeScope) => void;
  /** Refuses what this denies. By default, everything is allowed. */
  readonly allows?: (permission: NeededPermission) => boolean;
  /** Resources and states of the stack by region, for `doctor` and restores. */
  readonly regions?: Readonly<Record<string, AccountRegion>>;
  /** Delays each request. If it resolves to false, the request fails without being executed. */
  readonly admit?: () => Promise<boolean>;
  /** Like `admit`, but after the request was executed. */
  readonly answer?: () => Promise<boolean>;
}

/** Secret versions with an id chosen by the writer, by secret and version (Secrets Manager, PutSecretValue). */
type Versions = Map<string, string>;

/** The reply of Secrets Manager, or its error code. */
function answerOfSecrets(
  { SecretId: name = '', SecretString: text, ClientRequestToken: token }: Input,
  secrets: Record<string, string>,
  versions: Versions,
): object | string {
  if (text === undefined) {
    const SecretString = secrets[name];
    const VersionId = versions.get(name) ?? 'first';
    return SecretString === undefined ? 'ResourceNotFoundException' : { Name: name, SecretString, VersionId };
  }
  const known = versions.get(`${name}\0${token}`);
  if (known !== undefined && known !== text) return 'ResourceExistsException';
  if (known === undefined) {
    secrets[name] = text;
    if (token !== undefined) {
      versions.set(name, token);
      versions.set(`${name}\0${token}`, text);
    }
  }
  return { Name: name, VersionId: token };
}

/** Received messages that were not deleted. They stay hidden for the rest of the test. */
const hidden = new Set<string>();

/** Returns up to ten messages, like SQS. */
function answerOfQueue(operation: string, { ReceiptHandle }: Input, queue: string[]): object {
  if (operation === 'GetQueueAttributes') {
    return { Attributes: { ApproximateNumberOfMessages: String(queue.length) } };
  }
  if (operation === 'DeleteMessage') {
    queue.splice(queue.indexOf(ReceiptHandle ?? ''), 1);
    return {};
  }
  const bodies = queue.filter((body) => !hidden.has(body)).slice(0, 10);
  for (const body of bodies) hidden.add(body);
  return { Messages: bodies.map((Body) => ({ MessageId: Body, ReceiptHandle: Body, Body })) };
}

const errorOf = (code: string, message: string) =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;
const DENIED = errorOf('AccessDenied', 'not authorized');
const NO_STACK = errorOf('ValidationError', 'Stack with id x does not exist');

/**
 * Fakes the AWS services that the operator's command line uses, and records the permissions that each request needs.
 */
export async function startAws({
  stack = 'canvass-prod',
  dynamodb,
  outputs,
  secrets = {},
  queues = {},
  execute,
  allows = () => true,
  regions = {},
  admit = async () => true,
  answer = async () => true,
}: StandInParts): Promise<AwsStandIn> {
  const versions: Versions = new Map();
  const needed: NeededPermission[] = [];
  const member = ([key, value]: [string, unknown]) =>
    `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`;
  const described = (stage?: AccountRegion) =>
    `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>${stack}</StackName>
    <CreationTime>2026-11-20T10:00:00.000Z</CreationTime><StackStatus>${stage?.status ?? 'CREATE_COMPLETE'}</StackStatus><Outputs>${Object.entries(
      stage?.outputs ?? outputs,
    )
      .map(member)
      .join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;

  const { url, stop } = await serve(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const need = (...permissions: NeededPermission[]) => {
      needed.push(...permissions);
      return permissions.every(allows);
    };
    const [service = '', operation = ''] = String(request.headers['x-amz-target'] ?? '').split('.');
    const [, region = 'eu-west-1', scope = ''] =
      /Credential=\w+\/\d+\/([\w-]+)\/(\w+)/.exec(request.headers.authorization ?? '') ?? [];
    const place = `${region}:${ACCOUNT_ID}`;
    const stage = regions[region];
    const send = (status: number, type: string, text: string | Buffer) => {
      response.writeHead(status, { 'content-type': type });
      response.end(text);
    };
    const sendJson = (answered: object, status = 200) =>
      send(status, 'application/x-amz-json-1.1', JSON.stringify(answered));
    const refuse = (name: string) => sendJson({ __type: name, message: `the stand-in says ${name}` }, 400);
    const asked = await stage?.ask(scope, operation, request.url ?? '', body);
    if (asked !== undefined) {
      if (!need(...asked.needed)) return send(403, 'application/json', '{"__type":"AccessDeniedException"}');
      return send(asked.status, 'application/json', asked.text);
    }
    if (scope === 'cloudformation') {
      const query = new URLSearchParams(body);
      const action = query.get('Action') ?? '';
      const resource = `arn:aws:cloudformation:${place}:stack/${query.get('StackName')}/1`;
      if (!need({ action: `cloudformation:${action}`, resource })) return send(403, 'text/xml', DENIED);
      const isHere = stage === undefined ? region === 'eu-west-1' : stage.parts.length > 0;
      const isKnown = query.get('StackName') === stack && isHere;
      const text = action === 'DescribeStacks' ? described(stage) : stage?.describe(action);
      return send(isKnown ? 200 : 400, 'text/xml', isKnown ? (text ?? '') : NO_STACK);
    }
    if (!(await admit())) return refuse('AccessDeniedException');
    const input: Input = JSON.parse(body);
    if (service.startsWith('DynamoDB')) {
      if (!need(...dynamodbPermissions(operation, input, place))) return refuse('AccessDeniedException');
      const { host: _host, connection: _kept, 'content-length': _length, ...headers } = request.headers;
      const reply = await fetch(dynamodb, {
        method: 'POST',
        headers: headers as Record<string, string>,
        body,
      });
      const answered = Buffer.from(await reply.arrayBuffer());
      if (!(await answer())) return refuse('AccessDeniedException');
      const seen = operation === 'DescribeTable' && reply.ok && stage?.see(input.TableName ?? '');
      const { Table } = seen ? JSON.parse(String(answered)) : {};
      const text = seen ? JSON.stringify({ Table: { ...Table, ...seen } }) : answered;
      return send(reply.status, 'application/x-amz-json-1.0', text);
    }
    if (service === 'AmazonSQS') {
      const name = new URL(input.QueueUrl ?? '').pathname.split('/').at(-1) ?? '';
      const permission = { action: `sqs:${operation}`, resource: `arn:aws:sqs:${place}:${name}` };
      if (!need(permission)) return refuse('AccessDeniedException');
      return sendJson(answerOfQueue(operation, input, queues[name] ?? []));
    }
    if (service === 'secretsmanager') {
      const name = input.SecretId ?? '';
      const resource = `arn:aws:secretsmanager:${place}:secret:${name}-AbCdEf`;
      if (!need({ action: `secretsmanager:${operation}`, resource })) return refuse('AccessDeniedException');
      const answered = answerOfSecrets(input, secrets, versions);
      if (!(await answer())) return refuse('AccessDeniedException');
      return typeof answered === 'string' ? refuse(answered) : sendJson(answered);
    }
    const started = { action: `states:${operation}`, resource: input.stateMachineArn ?? '' };
    if (!need(started)) return refuse('AccessDeniedException');
    execute?.(JSON.parse(input.input ?? '{}'));
    sendJson({ executionArn: 'arn:execution', startDate: 0 });
  });
  return { url, needed, stop };
}
