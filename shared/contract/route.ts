/** The shape of an entry of the route table, and what all gateways share. */

import type * as z from 'zod/mini';
import type { KeyKind, KeyScope } from '../domain/project.ts';
import { type ErrorCode, type Issue, STATUS_OF } from './errors.ts';

/** The default throttle. The service also limits by key and address. */
export const THROTTLE = { rate: 2_000, burst: 4_000 } as const;

/** The shared limit of all routes that answer, separate from page loads. */
export const ANSWER_RATE = { bucket: 'ANSWERS', part: 1 } as const;

/** Bytes: the limit of a browser's beacon (docs/contract.md §3.1). */
export const BODY_LIMIT_BYTES = 64 * 1_024;

/**
 * CORS for the whole API (docs/contract.md §3.2). Only `content-type` is allowed, so browsers cannot send a secret key.
 */
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

/** Calls of a route's handler. Infrastructure grants exactly these. */
export interface Access {
  readonly table?: readonly TableAction[];
  readonly byProject?: readonly 'Query'[];
  readonly byScoreState?: readonly 'Query'[];
  readonly byContact?: readonly 'Query'[];
  readonly secrets?: readonly SecretName[];
  readonly erasureLog?: readonly ('PutItem' | 'Query' | 'BatchWriteItem')[];
  /** Whether the handler starts the purge's state machine. */
  readonly startsPurge?: boolean;
  /** Whether the handler queues events. */
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

export type ReadInput<Input> = { readonly input: Input } | { readonly issues: readonly Issue[] };

export interface Route {
  /** The entry file is functions/<name>.ts. */
  readonly name: string;
  readonly method: Method;
  readonly path: string;
  /** Other paths of the same function. */
  readonly aliases?: readonly Path[];
  readonly summary: string;
  readonly description?: string;
  /** Absent if no key is needed. */
  readonly key?: Exclude<KeyKind, 'reader' | 'editor'>;
  /** For secret keys: what repeating the call does after a lost reply, such as "it reads again". */
  readonly repeated?: string;
  /** For secret keys: the call's name in the TypeScript client. Defaults to the name in the table. */
  readonly typescriptName?: string;
  /** The scope that a secret key needs. */
  readonly scope?: KeyScope;
  /** Another scope that is needed if an input field is present, by the field's name. */
  readonly scopeWith?: Readonly<Record<string, KeyScope>>;
  /** The scope with which a secret key opens a publishable route, if no `key` is given. */
  readonly serverScope?: KeyScope;
  /** The input of such a caller, if it differs. */
  readonly serverInput?: z.ZodMiniType;
  /** Whether reader and editor keys also open it. */
  readonly readers?: boolean;
  /** Whether editor keys also open it, and reader keys do not. */
  readonly editors?: boolean;
  /** A page behind a link: its path ends with a token, its body is a form, and its refusals are pages. */
  readonly page?: boolean;
  /** Open to anybody; an input field names the project. */
  readonly named?: boolean;
  readonly rateLimited?: boolean;
  /** A separate limit: the name of its buckets, and its part of the rates. */
  readonly ownRate?: { readonly bucket: string; readonly part: number };
  /** Reads the input if its problems have their own paths and words. */
  readonly readInput?: (fields: never) => object;
  /** Input fields. `query`, `body` and braces in the path state where each is accepted. */
  readonly input?: z.ZodMiniObject;
  readonly query?: readonly string[];
  /** Query fields that are ignored, not refused, if they are given twice with different values. */
  readonly lenient?: readonly string[];
  /** Whether unknown query parameters are refused, so that a mistyped filter cannot return everything. */
  readonly strictQuery?: boolean;
  /** Whether input fields are accepted in a JSON body. */
  readonly body?: boolean;
  readonly success: {
    readonly status: 200 | 201;
    readonly schema?: z.ZodMiniType;
    readonly mediaType?: string;
  };
  /** Refusals besides those of the key and the input. */
  readonly refusals?: readonly ErrorCode[];
  /** Statuses that differ from the code's usual one. */
  readonly statusOf?: Partial<Record<ErrorCode, number>>;
  readonly access: Access;
  /** Seconds until the platform ends the function. */
  readonly timeoutSeconds: number;
  /** The gateway's throttle, requests per second. */
  readonly throttle: { readonly rate: number; readonly burst: number };
  readonly examples?: { readonly input?: unknown; readonly reply?: unknown };
}

export function statusOf(code: ErrorCode, route?: Route): number {
  return route?.statusOf?.[code] ?? STATUS_OF[code];
}

/** The scope that a request with these fields needs. */
export function scopeOf(
  route: Route,
  kind: KeyKind,
  fields: Readonly<Record<string, unknown>>,
): KeyScope | undefined {
  if (route.key === 'publishable') return kind === 'secret' ? route.serverScope : undefined;
  const field = Object.keys(route.scopeWith ?? {}).find((name) => fields[name] !== undefined);
  return (field === undefined ? undefined : route.scopeWith?.[field]) ?? route.scope;
}

export const pathFields = ({ path, page }: Pick<Route, 'path' | 'page'>): readonly string[] =>
  page === true ? [] : [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

export function pathsOf(route: Route): readonly Path[] {
  return [{ method: route.method, path: route.path }, ...(route.aliases ?? [])];
}

export function refusalsOf(route: Route): readonly ErrorCode[] {
  const codes: ErrorCode[] = [];
  if (route.input !== undefined) codes.push('invalid_request');
  if (route.key !== undefined) codes.push('invalid_key');
  if (route.key === 'publishable') codes.push('origin_not_allowed');
  if (route.key === 'publishable' || route.page === true) codes.push('project_suspended');
  if (isOfPeople(route)) codes.push('not_permitted');
  if (route.rateLimited === true) codes.push('rate_limited');
  codes.push(...(route.refusals ?? []), 'internal_error');
  // Other routes depend on nothing that can be unreachable.
  if (isOfProject(route)) codes.push('temporarily_unavailable');
  return codes;
}

/** Whether signed-in people may call it (docs/contract.md §20). */
export const isOfPeople = ({ readers, editors }: Pick<Route, 'readers' | 'editors'>): boolean =>
  readers === true || editors === true;

/** Whether a key, a token in the path or a field names a project. */
export const isOfProject = ({ key, page, named }: Route): boolean =>
  key !== undefined || page === true || named === true;

/** Whether requests are counted across instances, which writes. Public read-only routes are not. */
export const countsRequests = (route: Route): boolean =>
  route.key !== undefined || (route.page === true && route.access.table?.includes('PutItem') === true);
