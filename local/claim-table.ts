import { createHash } from 'node:crypto';
import type { SecretSource } from '../shared/crypto/secret-source.ts';
import type { Table } from '../shared/data/table/table.ts';
import { LocalError } from './local-error.ts';

/**
 * Takes a table of a DynamoDB, which others reach as well, once and for all, for the instances that have these secrets:
 * another one would count its answers a second time, and know none of its respondents, whose ids are hashed under the
 * secret.
 *
 * @param isOwn whether this instance started the DynamoDB: then the table is its own, whatever it held
 * @throws {LocalError} `table_in_use`
 */
export async function claimTable(
  table: Table,
  secrets: SecretSource,
  { isOwn }: { readonly isOwn: boolean },
): Promise<void> {
  const owner = createHash('sha256')
    .update(await secrets.readHashSecret())
    .digest('hex');
  const claimed = await table.put(
    { pk: 'LOCAL', sk: 'OWNER', type: 'local-owner', owner },
    isOwn ? undefined : { text: 'attribute_not_exists(#pk) OR #owner = :owner', values: { owner } },
  );
  if (claimed.done) return;
  throw new LocalError(
    'table_in_use',
    'The table of this DYNAMODB_ENDPOINT belongs to another data folder. Use that folder (--data), or another DynamoDB.',
  );
}
