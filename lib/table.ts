import type { Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { ProjectionType, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { TABLE } from '../shared/data/table/schema.ts';
import { DataTable, keySchema } from './data-table.ts';
import type { DeploymentSettings } from './settings.ts';

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

  #create(settings: DeploymentSettings): Table {
    const table = new DataTable(this, 'Table', settings, { ...TABLE, stream: StreamViewType[TABLE.stream] });
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
