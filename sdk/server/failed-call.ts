import { CanvassError, type Issue } from './canvass-error.ts';

export interface Asked {
  readonly method: string;
  readonly url: URL;
}

/** Queries may identify people. */
const placeOf = ({ method, url }: Asked): string => `${method} ${url.origin}${url.pathname}`;

function readFields(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function readIssues(value: unknown): Issue[] {
  return (Array.isArray(value) ? value : []).map((issue: unknown) => {
    const fields = readFields(issue);
    return { path: readText(fields.get('path')) ?? '', message: readText(fields.get('message')) ?? '' };
  });
}

function readDetails(value: unknown): Record<string, string | number> {
  const details = [...readFields(value)].flatMap(([name, detail]) =>
    typeof detail === 'string' || typeof detail === 'number' ? [[name, detail] as const] : [],
  );
  return Object.fromEntries(details);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function insteadOf(asked: Asked, { headers }: Response): string {
  const location = headers.get('location');
  try {
    if (location !== null) {
      const { origin, pathname } = new URL(location, asked.url);
      return ` to ${origin}${pathname}`;
    }
  } catch {
    return '';
  }
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  return type === '' ? '' : ` with ${type}`;
}

/** Busy gateways and oversized bodies do not mean a wrong address. */
const isOfGateway = (status: number): boolean => status === 413 || status === 429 || status >= 500;

/**
 * From the service, a gateway or a proxy.
 *
 * @param retryAfter seconds
 */
export function errorOfReply(
  asked: Asked,
  response: Response,
  body: string,
  retryAfter?: number | undefined,
): CanvassError {
  const { status, headers } = response;
  const error = readFields(readFields(parsed(body)).get('error'));
  const code = readText(error.get('code'));
  const requestId = readText(error.get('requestId')) ?? headers.get('x-request-id') ?? undefined;
  if (code === undefined) {
    const said = `${placeOf(asked)}: HTTP ${status}${insteadOf(asked, response)}, which is not a reply of the service.`;
    return new CanvassError(isOfGateway(status) ? said : `${said} Is baseUrl the service's address?`, {
      status,
      code: 'unexpected_reply',
      requestId: requestId ?? headers.get('apigw-requestid') ?? undefined,
      retryAfter,
    });
  }
  return new CanvassError(readText(error.get('message')) ?? code, {
    status,
    code,
    requestId,
    issues: readIssues(error.get('issues')),
    details: readDetails(error.get('details')),
    retryAfter,
  });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  const cause = error.cause instanceof Error ? error.cause : error;
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}

export function errorOfSilence(asked: Asked, expired: boolean, cause: unknown): CanvassError {
  return expired
    ? new CanvassError(`${placeOf(asked)}: no reply in time`, { status: 0, code: 'timeout', cause })
    : new CanvassError(`${placeOf(asked)}: no reply (${reasonOf(cause)})`, {
        status: 0,
        code: 'network_error',
        cause,
      });
}
