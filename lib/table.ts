import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { TABLE } from '../shared/data/table-schema.ts';
import type { DeploymentSettings } from './settings.ts';

function keySchema({ partitionKey, sortKey }: { readonly partitionKey: string; readonly sortKey: string }) {
  return {
    partitionKey: { name: partitionKey, type: AttributeType.STRING },
    sortKey: { name: sortKey, type: AttributeType.STRING },
  };
}

/** The single table, as `shared/data/table-schema.ts` says. */
export class ServiceTable extends Construct {
  readonly name: string;
  readonly arn: string;
  readonly streamArn: string;
  readonly indexArns: Readonly<Record<keyof typeof TABLE.indexes, string>>;

  constructor(scope: Construct, id: string, { removalPolicy }: DeploymentSettings) {
    super(scope, id);
    const isRetained = removalPolicy === 'retain';
    const table = new Table(this, 'Table', {
      ...keySchema(TABLE),
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      timeToLiveAttribute: TABLE.timeToLive,
      stream: StreamViewType[TABLE.stream],
      deletionProtection: isRetained,
      removalPolicy: isRetained ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    for (const index of Object.values(TABLE.indexes)) {
      table.addGlobalSecondaryIndex({
        ...keySchema(index),
        indexName: index.name,
        projectionType: ProjectionType.KEYS_ONLY,
      });
    }
    if (table.tableStreamArn === undefined) throw new Error('the table has no stream');
    this.name = table.tableName;
    this.arn = table.tableArn;
    this.streamArn = table.tableStreamArn;
    this.indexArns = {
      byProject: `${table.tableArn}/index/${TABLE.indexes.byProject.name}`,
      byScoreState: `${table.tableArn}/index/${TABLE.indexes.byScoreState.name}`,
    };
  }
}
