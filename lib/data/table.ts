import { type Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import {
  type Attribute,
  AttributeType,
  BillingMode,
  type ITable,
  ProjectionType,
  StreamViewType,
  Table,
  TableBase,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct, type IConstruct } from 'constructs';
import { ERASURE_LOG, TABLE } from '../../shared/data/table/schema.ts';
import type { DeploymentSettings } from '../settings/settings.ts';
import { encryptionKey } from './encryption-key.ts';

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

interface Keys {
  readonly partitionKey: string;
  readonly sortKey: string;
}

function keySchema({ partitionKey, sortKey }: Keys): { partitionKey: Attribute; sortKey: Attribute } {
  return {
    partitionKey: { name: partitionKey, type: AttributeType.STRING },
    sortKey: { name: sortKey, type: AttributeType.STRING },
  };
}

interface DataTableProps extends Keys {
  readonly timeToLive?: string;
  readonly stream?: StreamViewType;
}

class DataTable extends Table {
  constructor(scope: Construct, id: string, settings: DeploymentSettings, props: DataTableProps) {
    const isRetained = settings.removalPolicy === 'retain';
    const key = encryptionKey(scope, settings.kmsKeyArn);
    super(scope, id, {
      ...keySchema(props),
      billingMode: BillingMode.PAY_PER_REQUEST,
      ...(key === undefined
        ? { encryption: TableEncryption.AWS_MANAGED }
        : { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: key }),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      ...(props.timeToLive !== undefined && { timeToLiveAttribute: props.timeToLive }),
      ...(props.stream !== undefined && { stream: props.stream }),
      deletionProtection: isRetained,
      removalPolicy: isRetained ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }
}

/** Restoring the main table does not affect this log. */
export class ErasureLogTable extends Construct {
  readonly name: string;
  readonly arn: string;

  constructor(scope: Construct, id: string, settings: DeploymentSettings) {
    super(scope, id);
    const existing = settings.existing?.erasureLogTableArn;
    const { tableName, tableArn } =
      existing === undefined
        ? new DataTable(this, 'Table', settings, ERASURE_LOG)
        : Table.fromTableArn(this, 'Existing', existing);
    this.name = tableName;
    this.arn = tableArn;
  }
}
