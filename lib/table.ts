import { type Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { TABLE } from '../shared/data/table/schema.ts';
import type { DeploymentSettings } from './settings.ts';

function keySchema({ partitionKey, sortKey }: { readonly partitionKey: string; readonly sortKey: string }) {
  return {
    partitionKey: { name: partitionKey, type: AttributeType.STRING },
    sortKey: { name: sortKey, type: AttributeType.STRING },
  };
}

/** The single table, as `shared/data/table/schema.ts` says. */
export class ServiceTable extends Construct {
  readonly name: string;
  readonly arn: string;
  readonly streamArn: string;
  readonly indexArns: Readonly<Record<keyof typeof TABLE.indexes, string>>;
  /** Whether it was there before the stack. */
  readonly isExisting: boolean;

  constructor(scope: Construct, id: string, settings: DeploymentSettings) {
    super(scope, id);
    const stream = settings.existing?.tableStreamArn;
    this.isExisting = stream !== undefined;
    const { tableName, tableArn, tableStreamArn } =
      stream === undefined
        ? this.#create(settings)
        : Table.fromTableAttributes(this, 'Existing', {
            tableArn: stream.slice(0, stream.indexOf('/stream/')),
            tableStreamArn: stream,
          });
    if (tableStreamArn === undefined) throw new Error('the table has no stream');
    this.name = tableName;
    this.arn = tableArn;
    this.streamArn = tableStreamArn;
    this.indexArns = {
      byProject: `${tableArn}/index/${TABLE.indexes.byProject.name}`,
      byScoreState: `${tableArn}/index/${TABLE.indexes.byScoreState.name}`,
    };
  }

  /** Reads and writes that DynamoDB throttled, of the table and of each index. */
  throttles(period: Duration): readonly Metric[] {
    const places = [
      {},
      ...Object.values(TABLE.indexes).map(({ name }) => ({ GlobalSecondaryIndexName: name })),
    ];
    return places.flatMap((place) =>
      ['ReadThrottleEvents', 'WriteThrottleEvents'].map(
        (metricName) =>
          new Metric({
            namespace: 'AWS/DynamoDB',
            metricName,
            dimensionsMap: { TableName: this.name, ...place },
            statistic: Stats.SUM,
            period,
          }),
      ),
    );
  }

  #create({ removalPolicy }: DeploymentSettings): Table {
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
    return table;
  }
}
