/**
 * The stand-in account over HTTP, as far as the CDK's CLI deploys by it: CloudFormation and STS (query protocol), the
 * bootstrap's version (Systems Manager), and the bucket that templates are sent to (S3).
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'yaml';
import { serve } from '../serve.ts';
import { REGION } from '../stack/stage-place.ts';
import { Refusal, type StackResource, StandInAccount, type StandInStack } from './stand-in-account.ts';

export interface AccountServer {
  readonly url: string;
  readonly account: StandInAccount;
  /** What was asked to change anything, oldest first. */
  readonly changes: string[];
  stop(): void;
}

const ACCOUNT = '123456789012';
const CHANGES = ['UpdateTerminationProtection', 'ExecuteChangeSet', 'DeleteStack'];
const BOOTSTRAP_VERSION = '30';

/** Of a page of resources (API reference, ListStackResources: "up to 100"). */
const PAGE = 100;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const xml = (tag: string, text: string) => `<${tag}>${text}</${tag}>`;
const fields = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => xml(name, value))
    .join('');
const members = (tag: string, each: readonly string[]) =>
  xml(tag, each.map((one) => xml('member', one)).join(''));

const idOf = (name: string) => `arn:aws:cloudformation:${REGION}:${ACCOUNT}:stack/${name}/1`;
const AT = '2026-11-20T10:00:00.000Z';

const resourceFields = ({ type, id, physicalId, status }: StackResource) =>
  fields({
    LogicalResourceId: id,
    PhysicalResourceId: physicalId,
    ResourceType: type,
    ResourceStatus: status,
    LastUpdatedTimestamp: AT,
  });

/** By logical id: tables and secrets come behind the first hundred, which are functions and the gateway. */
const listed = ({ resources }: StandInStack): readonly string[] =>
  [...resources.values()].sort((one, other) => (one.id < other.id ? -1 : 1)).map(resourceFields);

interface ChangeSet {
  readonly template: Parameters<StandInAccount['propose']>[1]['template'];
  readonly parameters: Readonly<Record<string, string>>;
}

export async function startAccount(): Promise<AccountServer> {
  const account = new StandInAccount();
  const files = new Map<string, string>();
  const changeSets = new Map<string, ChangeSet>();
  const changes: string[] = [];

  /** By its name, or its id. */
  function stackOf(input: URLSearchParams): StandInStack {
    const asked = input.get('StackName') ?? '';
    const [, name = asked] = asked.match(/:stack\/([^/]+)\//) ?? [];
    const stack = account.stacks.get(name);
    if (stack === undefined) throw new Refusal(`Stack with id ${asked} does not exist`);
    return stack;
  }

  function parametersOf(input: URLSearchParams, { Parameters = {} }: ChangeSet['template']) {
    const known = account.stacks.get(input.get('StackName') ?? '')?.deployed.parameters ?? {};
    const values = Object.fromEntries(
      Object.entries(Parameters).map(([name, { Type, Default = '' }]) => [
        name,
        Type.startsWith('AWS::SSM::') ? BOOTSTRAP_VERSION : Default,
      ]),
    );
    for (let index = 1; ; index += 1) {
      const name = input.get(`Parameters.member.${index}.ParameterKey`);
      if (name === null) return values;
      const isPrevious = input.get(`Parameters.member.${index}.UsePreviousValue`) === 'true';
      const value = isPrevious ? known[name] : input.get(`Parameters.member.${index}.ParameterValue`);
      // Of a parameter of Systems Manager the name is given, and its value taken.
      if (!Parameters[name]?.Type.startsWith('AWS::SSM::')) values[name] = value ?? '';
    }
  }

  const actions: Readonly<Record<string, (input: URLSearchParams) => string>> = {
    GetCallerIdentity: () => fields({ UserId: 'u', Account: ACCOUNT, Arn: `arn:aws:iam::${ACCOUNT}:user/u` }),
    AssumeRole: (input) =>
      xml(
        'Credentials',
        fields({
          AccessKeyId: 'test',
          SecretAccessKey: 'test',
          SessionToken: 'test',
          Expiration: '2099-01-01T00:00:00Z',
        }),
      ) + xml('AssumedRoleUser', fields({ AssumedRoleId: 'r:s', Arn: input.get('RoleArn') ?? '' })),
    DescribeStacks(input) {
      const stack = stackOf(input);
      const parameters = Object.entries(stack.deployed.parameters ?? {}).map(([name, value]) =>
        fields({ ParameterKey: name, ParameterValue: value }),
      );
      return members('Stacks', [
        fields({
          StackId: idOf(stack.name),
          StackName: stack.name,
          CreationTime: AT,
          StackStatus: stack.status,
          EnableTerminationProtection: String(stack.isProtected),
        }) + members('Parameters', parameters),
      ]);
    },
    // The first hundred alone (API reference, DescribeStackResources).
    DescribeStackResources: (input) => members('StackResources', listed(stackOf(input)).slice(0, PAGE)),
    ListStackResources(input) {
      const resources = listed(stackOf(input));
      const from = Number(input.get('NextToken') ?? 0);
      return (
        members('StackResourceSummaries', resources.slice(from, from + PAGE)) +
        (from + PAGE >= resources.length ? '' : xml('NextToken', String(from + PAGE)))
      );
    },
    GetTemplate: (input) => xml('TemplateBody', escaped(JSON.stringify(stackOf(input).deployed.template))),
    DeleteChangeSet(input) {
      changeSets.delete(input.get('StackName') ?? '');
      return '';
    },
    CreateChangeSet(input) {
      const name = input.get('StackName') ?? '';
      const key = new URL(input.get('TemplateURL') ?? 'http://none/').pathname.split('/').at(-1) ?? '';
      const text = input.get('TemplateBody') ?? [...files].find(([path]) => path.endsWith(key))?.[1];
      if (text === undefined) throw new Refusal(`S3 error: there is no ${input.get('TemplateURL')}`);
      const template: ChangeSet['template'] = parse(text);
      const next = { template, parameters: parametersOf(input, template) };
      account.propose(name, next, REGION);
      changeSets.set(name, next);
      account.review(name, REGION);
      return fields({ Id: 'change-set', StackId: idOf(name) });
    },
    DescribeChangeSet(input) {
      const { name } = stackOf(input);
      const next = changeSets.get(name);
      if (next === undefined) throw new Refusal('ChangeSet [change-set] does not exist', 'ChangeSetNotFound');
      const told = account.propose(name, next, REGION).map(
        ({ id, type, change }) =>
          xml('Type', 'Resource') +
          xml(
            'ResourceChange',
            fields({
              LogicalResourceId: id,
              ResourceType: type,
              Action: { create: 'Add', update: 'Modify', replace: 'Modify', delete: 'Remove' }[change],
            }),
          ),
      );
      return (
        fields({
          ChangeSetId: 'change-set',
          StackId: idOf(name),
          StackName: name,
          Status: told.length === 0 ? 'FAILED' : 'CREATE_COMPLETE',
          StatusReason: told.length === 0 ? "The submitted information didn't contain changes." : '',
          CreationTime: AT,
        }) + members('Changes', told)
      );
    },
    UpdateTerminationProtection(input) {
      const stack = stackOf(input);
      stack.isProtected = input.get('EnableTerminationProtection') === 'true';
      return xml('StackId', idOf(stack.name));
    },
    ExecuteChangeSet(input) {
      const { name } = stackOf(input);
      const next = changeSets.get(name);
      if (next === undefined) throw new Refusal('ChangeSet [change-set] does not exist', 'ChangeSetNotFound');
      changeSets.delete(name);
      account.deploy(name, next, REGION);
      return '';
    },
    DescribeStackEvents: () => xml('StackEvents', ''),
    DescribeEvents: () => xml('OperationEvents', ''),
    DeleteStack(input) {
      account.remove(stackOf(input).name);
      return '';
    },
  };

  function query(input: URLSearchParams, response: ServerResponse): void {
    const action = input.get('Action') ?? '';
    response.setHeader('content-type', 'text/xml');
    try {
      const answer = actions[action];
      if (answer === undefined) throw new Refusal(`the stand-in knows no ${action}`);
      if (CHANGES.includes(action)) changes.push(action);
      response.end(xml(`${action}Response`, xml(`${action}Result`, answer(input))));
    } catch (error) {
      const { message, code } = error instanceof Refusal ? error : new Refusal(String(error));
      const told = fields({ Type: 'Sender', Code: code, Message: escaped(message) });
      response.writeHead(400).end(xml('ErrorResponse', xml('Error', told)));
    }
  }

  /** The bootstrap's bucket. */
  function bucket({ method, url = '' }: IncomingMessage, body: string, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(url, 'http://bucket');
    response.setHeader('content-type', 'application/xml');
    if (method === 'PUT') {
      files.set(pathname, body);
      response.setHeader('etag', '"1"').end();
    } else if (searchParams.has('list-type')) response.end(xml('ListBucketResult', xml('KeyCount', '0')));
    else if (searchParams.has('encryption')) response.end(xml('ServerSideEncryptionConfiguration', ''));
    else if (searchParams.has('location')) response.end(xml('LocationConstraint', REGION));
    else response.writeHead(404).end(xml('Error', fields({ Code: 'NoSuchKey', Message: 'none' })));
  }

  const { url, stop } = await serve(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.headers['x-amz-target'] === 'AmazonSSM.GetParameter') {
      const Parameter = { Name: 'version', Type: 'String', Value: BOOTSTRAP_VERSION };
      response.setHeader('content-type', 'application/x-amz-json-1.1').end(JSON.stringify({ Parameter }));
    } else if (request.headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
      query(new URLSearchParams(body), response);
    else bucket(request, body, response);
  });
  return { url, account, changes, stop };
}
