import { type ErrorCode, MESSAGE_OF, type Refusal } from '../errors.ts';
import { recorded } from '../examples/sdk-examples.ts';
import { type Route, refusalsOf, statusOf } from '../route.ts';
import { type Components, describeFields, schemaReference, toJsonSchema } from './openapi-schemas.ts';

export const HEADERS = {
  RequestId: {
    description: 'The id of the request. Include it when you report a problem.',
    required: true,
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'The number of seconds to wait before you retry.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
} as const;

const requestId = { 'x-request-id': { $ref: '#/components/headers/RequestId' } };
const retryAfter = { 'retry-after': { $ref: '#/components/headers/RetryAfter' } };
const ASK_TO_WAIT: ReadonlySet<number> = new Set([429, 503]);

const describeCodes = (codes: readonly ErrorCode[]): string =>
  codes.map((code) => `\`${code}\`: ${MESSAGE_OF[code]}`).join('\n\n');

function refusalReply(status: number, codes: readonly ErrorCode[], isPage: boolean): object {
  if (isPage) {
    return {
      description: `An error page. ${describeCodes(codes)}`,
      headers: { ...requestId, ...(ASK_TO_WAIT.has(status) && retryAfter) },
      content: { 'text/html': { schema: { type: 'string' } } },
    };
  }
  return {
    description: describeCodes(codes),
    headers: { ...requestId, ...(ASK_TO_WAIT.has(status) && retryAfter) },
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['error'],
          properties: {
            error: { allOf: [schemaReference('ServiceError'), { properties: { code: { enum: codes } } }] },
          },
        },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

function successReply({ success, examples }: Route, name: string, components: Components): object {
  const { schema, mediaType = 'application/json' } = success;
  if (schema === undefined) {
    return {
      description: 'The document.',
      headers: requestId,
      content: { [mediaType]: { schema: { type: 'string' } } },
    };
  }
  const made = toJsonSchema(schema(), 'output', components);
  if (made.$ref === undefined) components[name] = describeFields(name, made);
  return {
    description:
      success.status === 201 ? 'The request succeeded, and its data was stored.' : 'The request succeeded.',
    headers: requestId,
    content: {
      [mediaType]: {
        schema: made.$ref === undefined ? schemaReference(name) : { $ref: made.$ref },
        ...(examples?.reply !== undefined && { example: examples.reply }),
      },
    },
  };
}

/** @param name used unless the schema of the success reply has an id */
export function describeReplies(route: Route, name: string, components: Components): Record<string, object> {
  const codesByStatus = new Map<number, ErrorCode[]>();
  for (const code of refusalsOf(route)) {
    const status = statusOf(code, route);
    codesByStatus.set(status, [...(codesByStatus.get(status) ?? []), code]);
  }
  const refusals = [...codesByStatus].sort(([a], [b]) => a - b);
  return {
    [route.success.status]: successReply(route, name, components),
    ...(route.success.tagged && {
      304: { description: 'Unchanged since the reply with this `etag`.', headers: requestId },
    }),
    ...Object.fromEntries(
      refusals.map(([status, codes]) => [status, refusalReply(status, codes, route.page === true)]),
    ),
  };
}

const REFUSED_WITH: Partial<Record<ErrorCode, Omit<Refusal, 'refused'>>> = {
  invalid_request: {
    issues: [{ path: 'surveyId', message: 'is required' }],
  },
  token_used: { details: { id: recorded.id, at: recorded.at, kind: 'response' } },
  revision_conflict: { details: { revision: 2 } },
};

export function refusalExample(code: ErrorCode): object {
  const { issues, details } = REFUSED_WITH[code] ?? {};
  return {
    error: {
      code,
      message: MESSAGE_OF[code],
      requestId: 'f3a1c2d4-5b6e-4f70-8a91-b2c3d4e5f607',
      ...(issues !== undefined && { issues }),
      ...(details !== undefined && { details }),
    },
  };
}
