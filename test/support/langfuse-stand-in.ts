/**
 * Langfuse's `POST /api/public/scores` as it documents it, stricter than it is: what it would ignore is a 400 here.
 * Faults are chosen per request by the test.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as z from 'zod';
import { listen } from '../../local/listen.ts';

export const FAULTS = ['400', '401', '429 json', '429 text', '503', 'hang', 'reset', 'lost'] as const;
export type Fault = (typeof FAULTS)[number];

const CREDENTIALS = { publicKey: 'pk-lf-test', secretKey: 'sk-lf-test' } as const;

const scoreBody = z
  .strictObject({
    id: z.string().min(1),
    traceId: z.string().optional(),
    sessionId: z.string().optional(),
    observationId: z.string().optional(),
    name: z.string().min(1),
    value: z.number(),
    dataType: z.literal('NUMERIC'),
    comment: z.string().min(1).optional(),
    environment: z
      .string()
      .regex(/^(?!langfuse)[a-z0-9_-]{1,40}$/)
      .optional(),
    metadata: z.record(z.string(), z.union([z.string(), z.number()])),
  })
  .refine(
    ({ traceId, sessionId, observationId }) =>
      (traceId === undefined) !== (sessionId === undefined) &&
      !(observationId !== undefined && traceId === undefined),
    {
      path: ['traceId', 'sessionId', 'observationId'],
      message:
        'Provide exactly one of traceId (with optional observationId) and sessionId. ObservationId requires traceId.',
    },
  );

export type StoredScore = z.output<typeof scoreBody>;

export interface LangfuseStandIn {
  readonly url: string;
  readonly credentials: typeof CREDENTIALS;
  /** By id; a second push of an id replaces. */
  readonly scores: ReadonlyMap<string, StoredScore>;
  /** Requests that reached it. */
  readonly requests: () => number;
  stop(): Promise<void>;
}

interface StandInOptions {
  /** The fault of a request, counted from 0; none by default. */
  readonly faultOf?: (request: number, score: StoredScore | undefined) => Fault | undefined;
  /** Called once a score is stored, before it is answered. */
  readonly onStored?: (score: StoredScore) => void | Promise<void>;
}

function reply(response: ServerResponse, status: number, body: object | string, headers = {}): void {
  const isText = typeof body === 'string';
  response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers });
  response.end(isText ? body : JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export async function startLangfuseStandIn({
  faultOf = () => undefined,
  onStored = () => undefined,
}: StandInOptions = {}): Promise<LangfuseStandIn> {
  const scores = new Map<string, StoredScore>();
  const authorization = `Basic ${Buffer.from(`${CREDENTIALS.publicKey}:${CREDENTIALS.secretKey}`).toString('base64')}`;
  let requests = 0;

  const invalid = (response: ServerResponse, error: unknown) =>
    reply(response, 400, { message: 'Invalid request data', error });
  const unauthorised = (response: ServerResponse) =>
    reply(response, 401, { error: 'UnauthorizedError', message: 'Invalid credentials.' });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = scoreBody.safeParse(await bodyOf(request));
    const fault = faultOf(requests++, body.data);
    if (fault === '401') return unauthorised(response);
    if (fault === '429 json') {
      return reply(response, 429, { message: 'Rate limit exceeded' }, { 'retry-after': '2' });
    }
    if (fault === '429 text') return reply(response, 429, 'Too many requests');
    if (fault === '503') return reply(response, 503, { message: 'Service Unavailable' });
    if (fault === 'hang') return;
    if (fault === 'reset') {
      request.socket.resetAndDestroy();
      return;
    }
    if (request.method !== 'POST') return reply(response, 405, { message: 'Method not allowed' });
    if (request.url !== '/api/public/scores') return reply(response, 404, { message: 'Not found' });
    if (request.headers.authorization !== authorization) return unauthorised(response);
    if (request.headers['content-type'] !== 'application/json')
      return reply(response, 415, { message: 'JSON' });
    if (!body.success) return invalid(response, body.error.issues);
    if (fault === '400') return invalid(response, [{ code: 'custom', path: ['body'], message: 'because' }]);
    scores.set(body.data.id, body.data);
    await onStored(body.data);
    if (fault === 'lost') request.socket.destroy();
    else reply(response, 200, { id: body.data.id });
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const port = await listen(server, 0, '127.0.0.1');
  return {
    url: `http://127.0.0.1:${port}`,
    credentials: CREDENTIALS,
    scores,
    requests: () => requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
