import { parse } from 'yaml';
import { serve } from '../serve.ts';

interface Rule {
  readonly Assertions: readonly {
    readonly Assert: { readonly 'Fn::Equals': readonly [{ readonly Ref: string }, string] };
    readonly AssertDescription: string;
  }[];
}

interface Template {
  readonly Parameters?: Readonly<Record<string, { readonly Default?: string }>>;
  readonly Rules?: Readonly<Record<string, Rule>>;
}

interface StandInStack {
  status: string;
  isProtected: boolean;
  template: string;
  parameters: Readonly<Record<string, string>>;
}

export interface CloudFormationStandIn {
  readonly url: string;
  /** What was asked to change anything, oldest first. */
  readonly changes: string[];
  /** Of the one stack that there is. */
  readonly stack: () => StandInStack | undefined;
  /** The next change set that is executed fails, and is rolled back. */
  failNext(): void;
  stop(): void;
}

const CHANGES = ['UpdateTerminationProtection', 'ExecuteChangeSet', 'DeleteStack'];

class Refusal extends Error {
  readonly code: string;

  constructor(message: string, code = 'ValidationError') {
    super(message);
    this.code = code;
  }
}

const xml = (tag: string, text: string) => `<${tag}>${text}</${tag}>`;

/** Of a page of resources (API reference, ListStackResources: "up to 100"). */
const PAGE = 100;

interface StandInResource {
  readonly type: string;
  readonly id: string;
  readonly status: string;
}

const members = (tag: string, resources: readonly StandInResource[]) =>
  xml(
    tag,
    resources
      .map(({ type, id, status }) =>
        xml(
          'member',
          xml('ResourceType', type) + xml('PhysicalResourceId', id) + xml('ResourceStatus', status),
        ),
      )
      .join(''),
  );

/** Of a creation that failed, by logical id: more than a page of what was deleted stands before what was kept. */
const resources: readonly StandInResource[] = [
  ...Array.from({ length: 2 * PAGE }, (_, index) => ({
    type: 'AWS::Lambda::Function',
    id: `function-${index}`,
    status: 'DELETE_COMPLETE',
  })),
  { type: 'AWS::DynamoDB::Table', id: 'table-of-the-failed', status: 'DELETE_SKIPPED' },
  { type: 'AWS::SecretsManager::Secret', id: 'secret-of-the-failed', status: 'DELETE_SKIPPED' },
];

/**
 * CloudFormation, as far as the CDK's CLI deploys one stack by it (API reference, query protocol): a creation that fails
 * leaves a stack that can only be deleted, which protection refuses; rules are checked before anything changes.
 */
export async function startCloudFormation(): Promise<CloudFormationStandIn> {
  let stack: StandInStack | undefined;
  let next: Pick<StandInStack, 'template' | 'parameters'> | undefined;
  let willFail = false;
  const changes: string[] = [];
  const ID = 'arn:aws:cloudformation:eu-west-1:123456789012:stack/canvass-prod/1';

  function parametersOf(input: URLSearchParams, template: Template): Record<string, string> {
    const values = Object.fromEntries(
      Object.entries(template.Parameters ?? {}).map(([name, { Default = '' }]) => [name, Default]),
    );
    for (let index = 1; ; index += 1) {
      const prefix = `Parameters.member.${index}.`;
      const name = input.get(`${prefix}ParameterKey`);
      if (name === null) return values;
      const previous = input.get(`${prefix}UsePreviousValue`) === 'true' && stack?.parameters[name];
      values[name] = previous || (input.get(`${prefix}ParameterValue`) ?? '');
    }
  }

  function check({ Rules = {} }: Template, parameters: Readonly<Record<string, string>>): void {
    for (const { Assertions } of Object.values(Rules)) {
      for (const { Assert, AssertDescription } of Assertions) {
        const [{ Ref }, wanted] = Assert['Fn::Equals'];
        if (parameters[Ref] !== wanted) throw new Refusal(`Template error: ${AssertDescription}`);
      }
    }
  }

  const actions: Readonly<Record<string, (input: URLSearchParams) => string>> = {
    GetCallerIdentity: () => xml('Account', '123456789012') + xml('Arn', 'arn:aws:iam::123456789012:user/u'),
    DescribeStacks(input) {
      if (stack === undefined) throw new Refusal(`Stack with id ${input.get('StackName')} does not exist`);
      const parameters = Object.entries(stack.parameters).map(([name, value]) =>
        xml('member', xml('ParameterKey', name) + xml('ParameterValue', value)),
      );
      const fields = {
        StackId: ID,
        StackName: 'canvass-prod',
        CreationTime: '2026-11-20T10:00:00.000Z',
        StackStatus: stack.status,
        EnableTerminationProtection: String(stack.isProtected),
        Parameters: parameters.join(''),
      };
      const told = Object.entries(fields).map(([name, value]) => xml(name, value));
      return xml('Stacks', xml('member', told.join('')));
    },
    // The first hundred alone (API reference, DescribeStackResources).
    DescribeStackResources: () => members('StackResources', resources.slice(0, PAGE)),
    ListStackResources(input) {
      const from = Number(input.get('NextToken') ?? 0);
      const isLast = from + PAGE >= resources.length;
      return (
        members('StackResourceSummaries', resources.slice(from, from + PAGE)) +
        (isLast ? '' : xml('NextToken', String(from + PAGE)))
      );
    },
    GetTemplate: () =>
      xml('TemplateBody', (stack?.template ?? '{}').replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
    DeleteChangeSet() {
      next = undefined;
      return '';
    },
    CreateChangeSet(input) {
      const text = input.get('TemplateBody') ?? '{}';
      const template: Template = parse(text);
      const parameters = parametersOf(input, template);
      check(template, parameters);
      next = { template: text, parameters };
      stack ??= { status: 'REVIEW_IN_PROGRESS', isProtected: false, template: '{}', parameters: {} };
      return xml('Id', 'change-set') + xml('StackId', ID);
    },
    DescribeChangeSet() {
      if (next === undefined) throw new Refusal('ChangeSet [change-set] does not exist', 'ChangeSetNotFound');
      const change =
        xml('LogicalResourceId', 'R') + xml('ResourceType', 'AWS::SNS::Topic') + xml('Action', 'Add');
      const changed = xml('member', xml('Type', 'Resource') + xml('ResourceChange', change));
      const fields = { ChangeSetId: 'change-set', StackId: ID, StackName: 'canvass-prod' };
      const told = Object.entries(fields).map(([name, value]) => xml(name, value));
      return [
        ...told,
        xml('Status', 'CREATE_COMPLETE'),
        xml('CreationTime', '2026-11-20T10:00:00.000Z'),
        xml('Changes', changed),
      ].join('');
    },
    UpdateTerminationProtection(input) {
      if (stack !== undefined) stack.isProtected = input.get('EnableTerminationProtection') === 'true';
      return xml('StackId', ID);
    },
    ExecuteChangeSet() {
      if (stack === undefined) throw new Refusal('no stack');
      const isNew = stack.status === 'REVIEW_IN_PROGRESS';
      if (!willFail) Object.assign(stack, next, { status: isNew ? 'CREATE_COMPLETE' : 'UPDATE_COMPLETE' });
      else stack.status = isNew ? 'ROLLBACK_COMPLETE' : 'UPDATE_ROLLBACK_COMPLETE';
      willFail = false;
      next = undefined;
      return '';
    },
    DescribeStackEvents: () => xml('StackEvents', ''),
    DescribeEvents: () => xml('OperationEvents', ''),
    DeleteStack() {
      if (stack?.isProtected)
        throw new Refusal('Stack [canvass-prod] cannot be deleted while TerminationProtection is enabled');
      stack = undefined;
      return '';
    },
  };

  const { url, stop } = await serve(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const input = new URLSearchParams(body);
    const action = input.get('Action') ?? '';
    response.setHeader('content-type', 'text/xml');
    try {
      const result = actions[action];
      if (result === undefined) throw new Refusal(`the stand-in knows no ${action}`);
      if (CHANGES.includes(action)) changes.push(action);
      response.end(xml(`${action}Response`, xml(`${action}Result`, result(input))));
    } catch (error) {
      const { message, code } = error instanceof Refusal ? error : new Refusal(String(error));
      const told = xml('Type', 'Sender') + xml('Code', code) + xml('Message', message);
      response.writeHead(400).end(xml('ErrorResponse', xml('Error', told)));
    }
  });
  return {
    url,
    changes,
    stack: () => stack,
    failNext() {
      willFail = true;
    },
    stop,
  };
}
