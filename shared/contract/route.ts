/** The shape of one entry of the route table, and what every gateway in front of it shares. */

import type * as z from 'zod/mini';
import type { KeyKind, KeyScope } from '../domain/project.ts';
import { type ErrorCode, type Issue, STATUS_OF } from './errors.ts';

/** In front of most routes; the service's own limits are per key and per address. */
export const THROTTLE = { rate: 2_000, burst: 4_000 } as const;

/** Of all that answers, together: page loads take nothing from answers. */
export const ANSWER_RATE = { bucket: 'ANSWERS', part: 1 } as const;

/** Bytes of a request body (docs/contract.md §3.1): as many as a browser's beacon carries. */
export const BODY_LIMIT_BYTES = 64 * 1_024;

/** API-wide CORS (docs/contract.md §3.2): `content-type` alone, so that no browser can send a secret key. */
export const CORS = {
  allowOrigins: ['*'],
  allowMethods: ['GET', 'POST'],
  allowHeaders: ['content-type'],
  exposeHeaders: ['retry-after', 'x-request-id'],
  maxAgeSeconds: 7_200,
} as const;

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';

export interface Path {
  readonly method: Method;
  readonly path: string;
}

/** What a route's handler calls: DynamoDB actions, and the secrets it reads. Infrastructure grants exactly these. */
export interface Access {
  readonly table?: readonly TableAction[];
  readonly byProject?: readonly 'Query'[];
  readonly byScoreState?: readonly 'Query'[];
  readonly byContact?: readonly 'Query'[];
  readonly secrets?: readonly SecretName[];
  readonly erasureLog?: readonly ('PutItem' | 'Query' | 'BatchWriteItem')[];
  /** Whether the handler starts the purge's state machine. */
  readonly startsPurge?: boolean;
  /** Whether the handler queues events, where the stage has them on. */
  readonly queuesEvents?: boolean;
}

export type SecretName = 'hashSecret' | 'tokenRing';

export type TableAction =
  | 'GetItem'
  | 'Query'
  | 'BatchGetItem'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'BatchWriteItem'
  | 'ConditionCheckItem';

/** What a schema makes of fields, or every problem with them. */
export type ReadInput<Input> = { readonly input: Input } | { readonly issues: readonly Issue[] };

export interface Route {
  /** Also the name of the entry file: functions/<name>.ts. */
  readonly name: string;
  readonly method: Method;
  readonly path: string;
  /** Other paths served by the same function. */
  readonly aliases?: readonly Path[];
  readonly summary: string;
  readonly description?: string;
  /** Which key opens it; absent means none is needed. */
  readonly key?: Exclude<KeyKind, 'reader' | 'editor'>;
  /** Of a secret key: what a call does that its client repeats after a reply that was lost, as in "it reads again". */
  readonly repeated?: string;
  /** Of a secret key: what the TypeScript client calls it; its name in the table unless said. */
  readonly typescriptName?: string;
  /** What a secret key must be allowed. */
  readonly scope?: KeyScope;
  /** By the name of an input field: what it must be allowed instead when that field is there. */
  readonly scopeWith?: Readonly<Record<string, KeyScope>>;
  /** Of a publishable key: what a secret key must be allowed that opens it as well, where no `key` is given. */
  readonly serverScope?: KeyScope;
  /** What such a caller sends, where that differs from `input`. */
  readonly serverInput?: z.ZodMiniType;
  /** Of a secret key: whether a reader or an editor key opens it as well, which a person's browser holds. */
  readonly readers?: boolean;
  /** Of a secret key: whether an editor key does, and no reader key. */
  readonly editors?: boolean;
  /** A page behind a link: the token at the end of its path says whose, a form is its body, its refusals are pages. */
  readonly page?: boolean;
  /** Opened by anyone; a field of its input names the project. */
  readonly named?: boolean;
  readonly rateLimited?: boolean;
  /** A limit of its own, so that it stands in no other route's way: buckets of this name, and this part of the rates. */
  readonly ownRate?: { readonly bucket: string; readonly part: number };
  /** How the input is read where its problems have places and words of their own. */
  readonly readInput?: (fields: never) => object;
  /** Fields of the input; where each may stand is said by `query` and `body`, and by parts of the path in braces. */
  readonly input?: z.ZodMiniObject;
  /** Input fields that may stand in the query. */
  readonly query?: readonly string[];
  /** Of these, such as are passed over where they are given twice and differ, in place of a refusal. */
  readonly lenient?: readonly string[];
  /** Whether a query parameter that is not listed is refused: a mistyped filter must not answer with everything. */
  readonly strictQuery?: boolean;
  /** Whether the input fields may stand in a JSON body. */
  readonly body?: boolean;
  /** Status and schema of success; a route without a schema replies as its media type says. */
  readonly success: {
    readonly status: 200 | 201;
    readonly schema?: z.ZodMiniType;
    readonly mediaType?: string;
  };
  /** Refusals of its own, besides those that its key and its input bring. */
  readonly refusals?: readonly ErrorCode[];
  /** Where this route's status differs from the code's usual one. */
  readonly statusOf?: Partial<Record<ErrorCode, number>>;
  readonly access: Access;
  /** Seconds after which the platform ends the function. */
  readonly timeoutSeconds: number;
  /** The gateway's own throttle in front of the function, requests per second. */
  readonly throttle: { readonly rate: number; readonly burst: number };
  readonly examples?: { readonly input?: unknown; readonly reply?: unknown };
}

/** The status with which a route answers a refusal. */
export function statusOf(code: ErrorCode, route?: Route): number {
  return route?.statusOf?.[code] ?? STATUS_OF[code];
}

/** What a key of this kind must be allowed for a request with these fields. */
export function scopeOf(
  route: Route,
  kind: KeyKind,
  fields: Readonly<Record<string, unknown>>,
): KeyScope | undefined {
  if (route.key === 'publishable') return kind === 'secret' ? route.serverScope : undefined;
  const field = Object.keys(route.scopeWith ?? {}).find((name) => fields[name] !== undefined);
  return (field === undefined ? undefined : route.scopeWith?.[field]) ?? route.scope;
}

/** The input fields that are parts of a route's path, `{id}`. */
export const pathFields = ({ path, page }: Pick<Route, 'path' | 'page'>): readonly string[] =>
  page === true ? [] : [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** Every path that reaches a route: its own and its aliases. */
export function pathsOf(route: Route): readonly Path[] {
  return [{ method: route.method, path: route.path }, ...(route.aliases ?? [])];
}

/** Every refusal a route may give. */
export function refusalsOf(route: Route): readonly ErrorCode[] {
  const codes: ErrorCode[] = [];
  if (route.input !== undefined) codes.push('invalid_request');
  if (route.key !== undefined) codes.push('invalid_key');
  if (route.key === 'publishable') codes.push('origin_not_allowed');
  if (route.key === 'publishable' || route.page === true) codes.push('project_suspended');
  if (isOfPeople(route)) codes.push('not_permitted');
  if (route.rateLimited === true) codes.push('rate_limited');
  codes.push(...(route.refusals ?? []), 'internal_error');
  // Any other route depends on nothing that could be out of reach.
  if (isOfProject(route)) codes.push('temporarily_unavailable');
  return codes;
}

/** Whether people open it who are signed in to the console, as what they are (docs/contract.md §20). */
export const isOfPeople = ({ readers, editors }: Pick<Route, 'readers' | 'editors'>): boolean =>
  readers === true || editors === true;

/** Whether a route is about somebody's project: a key, the token in its path or a field says whose. */
export const isOfProject = ({ key, page, named }: Route): boolean =>
  key !== undefined || page === true || named === true;

/** Whether requests are counted across function instances, which writes; what anyone may only read is not. */
export const countsRequests = (route: Route): boolean =>
  route.key !== undefined || (route.page === true && route.access.table?.includes('PutItem') === true);
