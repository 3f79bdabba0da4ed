import { RemovalPolicy } from 'aws-cdk-lib';
import {
  type Attribute,
  AttributeType,
  BillingMode,
  type StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { DeploymentSettings } from '../settings/settings.ts';
import { encryptionKey } from './encryption-key.ts';

interface Keys {
  readonly partitionKey: string;
  readonly sortKey: string;
}

export function keySchema({ partitionKey, sortKey }: Keys): { partitionKey: Attribute; sortKey: Attribute } {
  return {
    partitionKey: { name: partitionKey, type: AttributeType.STRING },
    sortKey: { name: sortKey, type: AttributeType.STRING },
  };
}

interface DataTableProps extends Keys {
  readonly timeToLive?: string;
  readonly stream?: StreamViewType;
}

export class DataTable extends Table {
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
