import { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { ERASURE_LOG } from '../../shared/data/table/schema.ts';
import type { DeploymentSettings } from '../settings/settings.ts';
import { DataTable } from './data-table.ts';

/** Restoring the main table does not undo it. */
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
