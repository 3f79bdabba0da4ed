import type * as z from 'zod/mini';
import type { KeyKind, KeyScope } from '../domain/project.ts';
import { type ErrorCode, type Issue, STATUS_OF } from './errors.ts';

/** The service also limits by key and address. */
export const THROTTLE = { rate: 2_000, burst: 4_000 } as const;

/** All routes that store answers share this rate. Page loads have a rate of their own. */
export const ANSWER_RATE = { bucket: 'ANSWERS', share: 1 } as const;

/** Browsers send no larger beacon (docs/contract.md §3.1). */
export const BODY_LIMIT_BYTES = 64 * 1_024;

/**
 * Headers that tracing scripts of the page add to every request: W3C Trace Context and Baggage, B3, Sentry, Datadog
 * ("Connect RUM and Traces"), New Relic, Elastic, AWS X-Ray, Application Insights. Without them the preflight fails.
 */
const TRACE_HEADERS = [
  ...['traceparent', 'tracestate', 'baggage', 'sentry-trace', 'newrelic', 'elastic-apm-traceparent'],
  ...['b3', 'x-b3-traceid', 'x-b3-spanid', 'x-b3-parentspanid', 'x-b3-sampled', 'x-b3-flags'],
  ...['x-datadog-trace-id', 'x-datadog-parent-id', 'x-datadog-origin', 'x-datadog-sampling-priority'],
  ...['x-datadog-sampled', 'x-amzn-trace-id', 'request-id', 'request-context'],
];

/** docs/contract.md §3.2. `authorization` is not allowed, so browsers cannot send a secret key. */
export const CORS = {
  allowOrigins: ['*'],
  allowMethods: ['GET', 'POST'],
  allowHeaders: ['content-type', ...TRACE_HEADERS],
  exposeHeaders: ['retry-after', 'x-request-id'],
  maxAgeSeconds: 7_200,
} as const;

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';

export interface Path {
  readonly method: Method;
  readonly path: string;
}

/** The infrastructure grants exactly these permissions. */
export interface Access {
  readonly table?: readonly TableAction[];
  readonly byProject?: readonly 'Query'[];
  readonly byScoreState?: readonly 'Query'[];
  readonly byContact?: readonly 'Query'[];
  readonly secrets?: readonly SecretName[];
  readonly erasureLog?: readonly ('PutItem' | 'Query' | 'BatchWriteItem')[];
  readonly startsPurge?: boolean;
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
  readonly aliases?: readonly Path[];
  readonly summary: string;
  readonly description?: string;
  /** Absent if the route needs no key. */
  readonly key?: Exclude<KeyKind, 'reader' | 'editor'>;
  /** For routes with a secret key: what happens when a client retries after a lost reply. */
  readonly repeated?: string;
  /** For routes with a secret key. Defaults to the route's name. */
  readonly typescriptName?: string;
  readonly scope?: KeyScope;
  /** The scope that a key needs in addition to use an input field. */
  readonly scopeWith?: Readonly<Record<string, KeyScope>>;
  /** Lets secret keys with this scope call a publishable route. They send no `key`. */
  readonly serverScope?: KeyScope;
  /** The input of callers with a secret key, if it differs. */
  readonly serverInput?: () => z.ZodMiniType;
  /** Reader and editor keys may also call the route. */
  readonly readers?: boolean;
  /** Editor keys may also call the route, but reader keys may not. */
  readonly editors?: boolean;
  /** The route serves the page of a link: the path ends with a token, the body is a form, and refusals are pages. */
  readonly page?: boolean;
  /** The route needs no key. A field names the project. */
  readonly named?: boolean;
  readonly rateLimited?: boolean;
  /** The route's own rate-limit buckets, and their share of the project's rates. */
  readonly ownRate?: { readonly bucket: string; readonly share: number };
  readonly readInput?: (fields: never) => object;
  /** `query`, `body` and the braces in the path define where each field is accepted. */
  readonly input?: () => z.ZodMiniObject;
  readonly query?: readonly string[];
  /** Fields that are ignored, not refused, if they are given twice with different values. */
  readonly lenient?: readonly string[];
  /** Refuses unknown parameters, because a mistyped filter would return everything. */
  readonly strictQuery?: boolean;
  readonly body?: boolean;
  readonly success: {
    readonly status: 200 | 201;
    readonly schema?: () => z.ZodMiniType;
    readonly mediaType?: string;
    /** Callers with the current `etag` get 304. */
    readonly tagged?: boolean;
  };
  /** Refusals in addition to those of the key and the input. */
  readonly refusals?: readonly ErrorCode[];
  readonly statusOf?: Partial<Record<ErrorCode, number>>;
  readonly access: Access;
  /** The platform ends the function after this time. */
  readonly timeoutSeconds: number;
  /** The gateway's limit in requests per second. */
  readonly throttle: { readonly rate: number; readonly burst: number };
  readonly examples?: { readonly input?: unknown; readonly reply?: unknown };
}

export function statusOf(code: ErrorCode, route?: Route): number {
  return route?.statusOf?.[code] ?? STATUS_OF[code];
}

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
  // Other routes have no dependency that can be unavailable.
  if (isOfProject(route)) codes.push('temporarily_unavailable');
  return codes;
}

/** Signed-in people may call it (docs/contract.md §20). */
export const isOfPeople = ({ readers, editors }: Pick<Route, 'readers' | 'editors'>): boolean =>
  readers === true || editors === true;

export const isOfProject = ({ key, page, named }: Route): boolean =>
  key !== undefined || page === true || named === true;

/** Counting across instances writes; public read-only routes do not. */
export const countsRequests = (route: Route): boolean =>
  route.key !== undefined || (route.page === true && route.access.table?.includes('PutItem') === true);
