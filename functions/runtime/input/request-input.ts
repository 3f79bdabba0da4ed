/** Reading a gateway event's body and query into one input object, before anything is validated. */

import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { invalid, type Refusal, refuse } from '../../../shared/contract/errors.ts';
import type { Route } from '../../../shared/contract/route.ts';
import { notAnObject } from './json-body.ts';
import { readQuery } from './query-parameters.ts';

export interface RawInput {
  readonly fields: Readonly<Record<string, unknown>>;
  /** A refusal of row 1 (docs/contract.md §4.2): the body is no object, or `key` is given twice and differs. */
  readonly malformed?: Refusal;
  /** A refusal of row 5: another field is given twice and differs, or the route has no such query parameter. */
  readonly conflict?: Refusal;
}

/** The fields of a body that are there: null means absent. */
function present(body: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

function refuseUnknown(
  { query: known = [] }: Route,
  query: ReadonlyMap<string, unknown>,
): Refusal | undefined {
  const unknown = [...query.keys()].filter((name) => !known.includes(name));
  if (unknown.length === 0) return undefined;
  const issues = unknown.map((path) => ({ path, message: 'is not a parameter of this route' }));
  return refuse('invalid_request', { issues });
}

/** @param body the parsed body, when the request has one */
export function readInput(route: Route, event: APIGatewayProxyEventV2, body: unknown): RawInput {
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
    return { fields: {}, malformed: notAnObject() };
  }
  const fields = present(body ?? {});
  const query = readQuery(event.rawQueryString);
  let conflict = route.strictQuery === true ? refuseUnknown(route, query) : undefined;
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
