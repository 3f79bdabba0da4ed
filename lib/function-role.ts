import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Access, SecretName, TableAction } from '../shared/contract/route.ts';
import { rateLeasePartition } from '../shared/data/table/schema.ts';
import type { Backends } from './backends.ts';
import { serviceRole } from './service-role.ts';

/** The rate partitions of every project, as a pattern. */
const RATE_PARTITIONS = rateLeasePartition('*', '*');

const dynamodb = (actions: readonly string[] = []) => actions.map((action) => `dynamodb:${action}`);

/** What one function may do: nothing until it is allowed here. */
export class FunctionRole {
  readonly role: Role;
  readonly #backends: Backends;

  constructor(scope: Construct, backends: Backends) {
    this.role = serviceRole(scope, 'Role', 'lambda.amazonaws.com');
    this.#backends = backends;
  }

  /** Allows these actions on exactly these resources. */
  allow(actions: readonly string[], resources: readonly string[]): void {
    if (actions.length === 0 || resources.length === 0) return;
    this.role.addToPrincipalPolicy(new PolicyStatement({ actions: [...actions], resources: [...resources] }));
  }

  /** Allows exactly what `access` names. */
  allowAccess(access: Access): void {
    const { table, secrets, erasure } = this.#backends;
    const secretArns = (names: readonly SecretName[] = []) => names.map((name) => secrets.arns[name]);
    this.allow(dynamodb(access.table), [table.arn]);
    this.allow(dynamodb(access.byProject), [table.indexArns.byProject]);
    this.allow(dynamodb(access.byScoreState), [table.indexArns.byScoreState]);
    this.allow(['secretsmanager:GetSecretValue'], secretArns(access.secrets));
    if (erasure === undefined) return;
    this.allow(dynamodb(access.erasureLog), [erasure.log.arn]);
    if (access.startsPurge !== true || erasure.purge === undefined) return;
    this.allow(['states:StartExecution'], [erasure.purge.stateMachineArn]);
  }

  /** Allows an action on the partitions of a pattern alone. */
  allowIn(partitions: string, action: TableAction): void {
    this.role.addToPrincipalPolicy(
      new PolicyStatement({
        actions: dynamodb([action]),
        resources: [this.#backends.table.arn],
        conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [partitions] } },
      }),
    );
  }

  /** Allows keeping count of requests: rate leases and the last use of keys, which lie in partitions of their own. */
  allowCounting(): void {
    this.allowIn(RATE_PARTITIONS, 'UpdateItem');
  }

  /** Allows reading the table's stream (Lambda, "Process DynamoDB records": required permissions). */
  allowStream(): void {
    this.allow(
      ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'],
      [this.#backends.table.streamArn],
    );
  }
}
