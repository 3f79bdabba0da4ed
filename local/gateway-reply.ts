export interface GatewayReply {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: Buffer;
}

/** What API Gateway answers by itself, without or instead of the function. */
export function refusal(status: number, message: string): GatewayReply {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    cookies: [],
    body: Buffer.from(JSON.stringify({ message })),
  };
}

/**
 * Reads a function's result as an HTTP API does (payload format 2.0): a result with a `statusCode` describes the
 * reply, any other is the body of a 200 with JSON.
 *
 * @returns undefined for a result API Gateway cannot use, which it answers with 500
 */
export function gatewayReply(result: unknown): GatewayReply | undefined {
  if (!isRecord(result) || !('statusCode' in result)) {
    const body = typeof result === 'string' ? result : (JSON.stringify(result) ?? 'null');
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      cookies: [],
      body: Buffer.from(body),
    };
  }
  const status = Number(result.statusCode);
  const headers = readHeaders(result.headers ?? {});
  const cookies = result.cookies ?? [];
  const body = result.body ?? '';
  if (!Number.isInteger(status) || status < 200 || status > 599) return undefined;
  if (headers === undefined || !isStrings(cookies) || typeof body !== 'string') return undefined;
  return {
    status,
    headers: { 'content-type': 'text/plain;charset=UTF-8', ...headers },
    cookies,
    body: Buffer.from(body, result.isBase64Encoded === true ? 'base64' : 'utf8'),
  };
}

function readHeaders(headers: unknown): Record<string, string> | undefined {
  if (!isRecord(headers)) return undefined;
  const read: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
      return undefined;
    read[name.toLowerCase()] = String(value);
  }
  return read;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}
