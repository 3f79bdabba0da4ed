/** Rows as the table's stream carries them. */

import type { AttributeValue } from 'aws-lambda';
import type { Row } from './row.ts';

function readValue({ S, N, BOOL, NULL, M, L, SS, NS }: AttributeValue): unknown {
  if (S !== undefined) return S;
  if (N !== undefined) return Number(N);
  if (BOOL !== undefined) return BOOL;
  if (NULL !== undefined) return null;
  if (M !== undefined) return readImage(M);
  if (L !== undefined) return L.map(readValue);
  if (SS !== undefined) return new Set(SS);
  return NS === undefined ? undefined : new Set(NS.map(Number));
}

/** An image of a stream record, without its binary values, which no answer has. */
export function readImage(image: Readonly<Record<string, AttributeValue>>): Row {
  return Object.fromEntries(Object.entries(image).map(([name, value]) => [name, readValue(value)]));
}
