import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { ERASURE_LOG } from '../shared/data/table/schema.ts';
import type { DeploymentSettings } from './settings.ts';

/** The log of erasures: a table of its own, since a restore of the main table must not take it back. */
export class ErasureLogTable extends Construct {
  readonly name: string;
  readonly arn: string;

  constructor(scope: Construct, id: string, settings: DeploymentSettings) {
    super(scope, id);
    const existing = settings.existing?.erasureLogTableArn;
    const { tableName, tableArn } =
      existing === undefined ? this.#create(settings) : Table.fromTableArn(this, 'Existing', existing);
    this.name = tableName;
    this.arn = tableArn;
  }

  #create({ removalPolicy }: DeploymentSettings): Table {
    const isRetained = removalPolicy === 'retain';
    return new Table(this, 'Table', {
      partitionKey: { name: ERASURE_LOG.partitionKey, type: AttributeType.STRING },
      sortKey: { name: ERASURE_LOG.sortKey, type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: ERASURE_LOG.timeToLive,
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: isRetained,
      removalPolicy: isRetained ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }
}
