/** Reading a gateway event's body and query into one input object, before anything is validated. */

import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { invalid, type Refusal } from '../../shared/contract/errors.ts';
import type { Route } from '../../shared/contract/route.ts';

export interface RawInput {
  readonly fields: Readonly<Record<string, unknown>>;
  /** A refusal of row 1 (docs/contract.md §4.2): the body is no object, or `key` stands twice and differs. */
  readonly malformed?: Refusal;
  /** A refusal of row 5: another field stands twice and differs, or a route that knows its parameters has another. */
  readonly conflict?: Refusal;
}

/** The fields of a body that are there: null means absent. */
function present(body: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** What could be a parameter mistyped; anything else is a caller's own words, which no error quotes. */
const LIKE_A_PARAMETER = /^[a-z][a-z_]{0,15}[A-Za-z]{0,16}$/;

function refuseUnknown({ query: known = [] }: Route, query: URLSearchParams): Refusal | undefined {
  const unknown = [...query.keys()].find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  const path = LIKE_A_PARAMETER.test(unknown) ? unknown : '';
  return invalid(path, known.length === 0 ? 'there are no parameters' : `parameters are ${known.join(', ')}`);
}

/** @param body the parsed body, when the request has one */
export function readInput(route: Route, event: APIGatewayProxyEventV2, body: unknown): RawInput {
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
    return { fields: {}, malformed: invalid('', 'the body must be a JSON object') };
  }
  const fields = present(body ?? {});
  const query = new URLSearchParams(event.rawQueryString);
  let conflict = route.refusesUnknown === true ? refuseUnknown(route, query) : undefined;
  for (const name of route.query ?? []) {
    const values = new Set<unknown>(query.getAll(name));
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
