/** A DynamoDB item as the document client returns it; attributes are read by name where an entity is mapped. */

import type { QueryCommandOutput } from '@aws-sdk/lib-dynamodb';

export type Item = NonNullable<QueryCommandOutput['Items']>[number];
