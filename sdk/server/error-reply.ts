import type { Issue } from '../../shared/contract/errors.ts';
import { CanvassError } from './canvass-error.ts';

function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function issuesOf(value: unknown): Issue[] {
  return (Array.isArray(value) ? value : []).map((issue: unknown) => {
    const fields = fieldsOf(issue);
    return { path: textOf(fields.get('path')) ?? '', message: textOf(fields.get('message')) ?? '' };
  });
}

function detailsOf(value: unknown): Record<string, string> {
  const texts = [...fieldsOf(value)].flatMap(([name, text]) =>
    typeof text === 'string' ? [[name, text] as const] : [],
  );
  return Object.fromEntries(texts);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The error that a reply of refusal stands for; what a gateway or a proxy answered is one too. */
export function errorOfReply(response: Response, body: string): CanvassError {
  const { status, headers } = response;
  const error = fieldsOf(fieldsOf(parsed(body)).get('error'));
  const code = textOf(error.get('code'));
  const requestId = textOf(error.get('requestId')) ?? headers.get('x-request-id') ?? undefined;
  if (code === undefined) {
    return new CanvassError(`HTTP ${status}, and not in the service's words`, {
      status,
      code: 'unexpected_reply',
      requestId: requestId ?? headers.get('apigw-requestid') ?? undefined,
    });
  }
  return new CanvassError(textOf(error.get('message')) ?? code, {
    status,
    code,
    requestId,
    issues: issuesOf(error.get('issues')),
    details: detailsOf(error.get('details')),
  });
}
