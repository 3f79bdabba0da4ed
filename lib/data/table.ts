import type { Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { type ITable, ProjectionType, StreamViewType, Table, TableBase } from 'aws-cdk-lib/aws-dynamodb';
import { Construct, type IConstruct } from 'constructs';
import { TABLE } from '../../shared/data/table/schema.ts';
import type { DeploymentSettings } from '../settings/settings.ts';
import { DataTable, keySchema } from './data-table.ts';

/** `Table` is not assignable to `ITable` under exactOptionalPropertyTypes; its base class is. */
function tableIn(table: IConstruct): ITable {
  if (!(table instanceof TableBase)) throw new TypeError(`${table.node.path} is not a table`);
  return table;
}

export class ServiceTable extends Construct {
  readonly resource: ITable;
  readonly name: string;
  readonly arn: string;
  readonly streamArn: string;
  readonly indexArns: Readonly<Record<keyof typeof TABLE.indexes, string>>;
  readonly isExisting: boolean;

  constructor(scope: Construct, id: string, settings: DeploymentSettings) {
    super(scope, id);
    const stream = settings.existing?.tableStreamArn;
    this.isExisting = stream !== undefined;
    this.resource = tableIn(
      stream === undefined
        ? this.#create(settings)
        : Table.fromTableAttributes(this, 'Existing', {
            tableArn: stream.slice(0, stream.indexOf('/stream/')),
            tableStreamArn: stream,
            globalIndexes: Object.values(TABLE.indexes).map(({ name }) => name),
          }),
    );
    const { tableName, tableArn, tableStreamArn } = this.resource;
    if (tableStreamArn === undefined) throw new Error('The table has no stream');
    this.name = tableName;
    this.arn = tableArn;
    this.streamArn = tableStreamArn;
    this.indexArns = {
      byProject: `${tableArn}/index/${TABLE.indexes.byProject.name}`,
      byScoreState: `${tableArn}/index/${TABLE.indexes.byScoreState.name}`,
      byContact: `${tableArn}/index/${TABLE.indexes.byContact.name}`,
    };
  }

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
