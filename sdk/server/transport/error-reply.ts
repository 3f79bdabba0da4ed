import { CanvassError } from '../canvass-error.ts';
import type { Issue } from '../route-types.ts';

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

/** The error that a refusing reply means; the reply of a gateway or a proxy is one too. */
export function errorOfReply(response: Response, body: string): CanvassError {
  const { status, headers } = response;
  const error = readFields(readFields(parsed(body)).get('error'));
  const code = readText(error.get('code'));
  const requestId = readText(error.get('requestId')) ?? headers.get('x-request-id') ?? undefined;
  if (code === undefined) {
    return new CanvassError(`HTTP ${status}, and not in the service's words`, {
      status,
      code: 'unexpected_reply',
      requestId: requestId ?? headers.get('apigw-requestid') ?? undefined,
    });
  }
  return new CanvassError(readText(error.get('message')) ?? code, {
    status,
    code,
    requestId,
    issues: readIssues(error.get('issues')),
    details: readDetails(error.get('details')),
  });
}
