/** Reading a gateway event's body and query into one input object, before anything is validated. */

import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { invalid, type Refusal } from '../../shared/contract/errors.ts';
import type { Route } from '../../shared/contract/route.ts';
import { readQuery } from './query-parameters.ts';

export interface RawInput {
  readonly fields: Readonly<Record<string, unknown>>;
  /** A refusal of row 1 (docs/contract.md §4.2): the body is no object, or `key` stands twice and differs. */
  readonly malformed?: Refusal;
  /** A refusal of row 5: another field stands twice and differs. */
  readonly conflict?: Refusal;
}

/** The fields of a body that are there: null means absent. */
function present(body: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** @param body the parsed body, when the request has one */
export function readInput(route: Route, event: APIGatewayProxyEventV2, body: unknown): RawInput {
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
    return { fields: {}, malformed: invalid('', 'the body must be a JSON object') };
  }
  const fields = present(body ?? {});
  const query = readQuery(event.rawQueryString);
  let conflict: Refusal | undefined;
  for (const name of route.query ?? []) {
    const values = new Set<unknown>(query.get(name));
    if (values.size > 0 && fields[name] !== undefined) values.add(fields[name]);
    if (values.size > 1) {
      const refusal = invalid(name, `${name} is given twice, with different values`);
      if (name === 'key') return { fields, malformed: refusal };
      conflict = refusal;
    }
    const [value] = values;
    if (value !== undefined) fields[name] = value;
  }
  return { fields, ...(conflict !== undefined && { conflict }) };
}
