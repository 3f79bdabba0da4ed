import { Aws, Validations } from 'aws-cdk-lib';
import {
  type AddToPrincipalPolicyResult,
  PolicyDocument,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Access, TableAction } from '../../shared/contract/route.ts';
import { rateLeasePartition } from '../../shared/data/table/schema.ts';
import { type EncryptingService, keyStatements } from '../data/encryption-key.ts';
import type { ServiceSecrets } from '../data/secrets.ts';
import type { ErasureLogTable, ServiceTable } from '../data/table.ts';
import type { DeploymentSettings } from '../settings/settings.ts';

const RATE_PARTITIONS = rateLeasePartition('*', '*');

const dynamodb = (actions: readonly string[] = []) => actions.map((action) => `dynamodb:${action}`);

/**
 * Contains its grants, because a policy would be another resource. Its id is new: an upgrade and a rollback create the
 * complete role, then change the function, and delete the other role last (CloudFormation, "Update behaviors").
 */
export class GrantedRole extends Role {
  readonly #grants: PolicyDocument;

  constructor(scope: Construct, id: string, assumedBy: ServicePrincipal) {
    const grants = new PolicyDocument();
    super(scope, id, { assumedBy, inlinePolicies: { grants } });
    this.#grants = grants;
  }

  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    this.#grants.addStatements(statement);
    return { statementAdded: true, policyDependable: this };
  }
}

export class FunctionRole {
  readonly role: Role;
  readonly #backends: Backends;
  readonly #encrypting = new Set<EncryptingService>();

  constructor(scope: Construct, id: string, backends: Backends) {
    this.role = new GrantedRole(scope, id, inThisAccount('lambda.amazonaws.com'));
    this.#backends = backends;
    if (!backends.settings.tracing) return;
    Validations.of(this.role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'Permissions to send X-Ray traces do not support resources.',
    });
  }

  allow(actions: readonly string[], resources: readonly string[]): void {
    if (actions.length === 0 || resources.length === 0) return;
    this.role.addToPrincipalPolicy(new PolicyStatement({ actions: [...actions], resources: [...resources] }));
  }

  allowAccess(access: Access): void {
    const { table, erasure } = this.#backends;
    this.allow(dynamodb(access.table), [table.arn]);
    this.allow(dynamodb(access.byProject), [table.indexArns.byProject]);
    this.allow(dynamodb(access.byScoreState), [table.indexArns.byScoreState]);
    this.allow(dynamodb(access.byContact), [table.indexArns.byContact]);
    if (access.table !== undefined) this.#allowKeys('dynamodb');
    if (erasure === undefined) return;
    this.allow(dynamodb(access.erasureLog), [erasure.log.arn]);
    if (access.startsPurge !== true || erasure.purge === undefined) return;
    this.allow(['states:StartExecution'], [erasure.purge.stateMachineArn]);
  }

  allowSecrets(arns: readonly string[]): void {
    if (arns.length === 0) return;
    this.allow(['secretsmanager:GetSecretValue'], arns);
    this.#allowKeys('secretsmanager');
  }

  allowQueue(arn: string): void {
    this.allow(['sqs:SendMessage'], [arn]);
    this.#allowKeys('sqs');
  }

  allowPublish(topicArn: string): void {
    this.allow(['sns:Publish'], [topicArn]);
    this.#allowKeys('sns');
  }

  /** See Lambda, "Using Lambda with Amazon SQS". */
  allowReceiving(arn: string): void {
    this.allow(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'], [arn]);
    this.#allowKeys('sqs');
  }

  /**
   * `ForAllValues` also matches if the key is absent (IAM, "Set operators for multi-valued context keys"), so an absent
   * key is refused. Transactions are exempt: AWS does not document whether DynamoDB passes their keys to IAM.
   */
  allowIn(partitions: string, action: TableAction, { inTransactions = false } = {}): void {
    this.#allowKeys('dynamodb');
    this.role.addToPrincipalPolicy(
      new PolicyStatement({
        actions: dynamodb([action]),
        resources: [this.#backends.table.arn],
        conditions: {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [partitions] },
          ...(!inTransactions && { Null: { 'dynamodb:LeadingKeys': 'false' } }),
        },
      }),
    );
  }

  /** Rate leases and the last use of keys are stored in separate partitions. */
  allowCounting(access: Access): void {
    const mayUpdateAll = access.table?.includes('UpdateItem') === true;
    if (!mayUpdateAll) this.allowIn(RATE_PARTITIONS, 'UpdateItem');
  }

  /** See Lambda, "Process DynamoDB records". */
  allowStream(): void {
    this.allow(
      ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'],
      [this.#backends.table.streamArn],
    );
  }

  #allowKeys(service: EncryptingService): void {
    if (this.#encrypting.has(service)) return;
    this.#encrypting.add(service);
    for (const statement of keyStatements(this.#backends.settings, service)) {
      this.role.addToPrincipalPolicy(statement);
    }
  }
}

/** See IAM, "The confused deputy problem". */
const inThisAccount = (service: string): ServicePrincipal =>
  new ServicePrincipal(service, {
    conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
  });

export const serviceRole = (
  scope: Construct,
  id: string,
  service: string,
  inlinePolicies: Readonly<Record<string, PolicyDocument>> = {},
): Role => new Role(scope, id, { assumedBy: inThisAccount(service), inlinePolicies });

/** Lets rules of EventBridge send to a queue or topic, in its resource policy. */
export const ruleStatement = (
  sid: string,
  action: 'sqs:SendMessage' | 'sns:Publish',
  resource: string,
  rules: string | string[],
): PolicyStatement =>
  new PolicyStatement({
    sid,
    principals: [new ServicePrincipal('events.amazonaws.com')],
    actions: [action],
    resources: [resource],
    conditions: { ArnEquals: { 'aws:SourceArn': rules } },
  });

export interface Connected {
  readonly may: {
    allow(actions: readonly string[], resources: readonly string[]): void;
    allowQueue(queueArn: string): void;
  };
  setEnvironment(variables: Readonly<Record<string, string>>): void;
}

interface EventConnections {
  connect(queueing: Connected): void;
  connectBus(sending: Connected): void;
}

export interface Backends {
  readonly table: ServiceTable;
  readonly secrets: ServiceSecrets;
  readonly settings: DeploymentSettings;
  readonly events?: EventConnections | undefined;
  readonly erasure?: {
    readonly log: ErasureLogTable;
    /** Absent for the steps of a purge, which start no purge. */
    readonly purge?: { readonly stateMachineArn: string };
  };
}
