/**
 * Returns 400 where Langfuse would ignore a field. A score replaces another one with the same id, name and UTC date of
 * arrival. A deletion always returns 202, and later deletes every score with its id. Of several events with one id the
 * latest wins. Sources: langfuse/langfuse `web/src/pages/api/public/scores/[scoreId].ts`,
 * `worker/src/queues/scoreDelete.ts`, `packages/shared/src/server/ingestion/processEventBatch.ts`,
 * `IngestionService.toTimeSortedEventList`; langfuse.com/docs, "Scores via API/SDK" and "Scores API"; read 2026-11-22.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { serve } from '../serve.ts';

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
    metadata: z.record(z.string(), z.json()),
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
  readonly scores: ReadonlyMap<string, StoredScore>;
  /** Several if scores with this id arrived on different dates. */
  readonly all: (id: string) => readonly StoredScore[];
  readonly requests: () => number;
  stop(): Promise<void>;
}

interface StandInOptions {
  /** Requests count from 0. */
  readonly faultOf?: (
    request: number,
    score: StoredScore | undefined,
    deletes: string | undefined,
  ) => Fault | undefined;
  readonly onStored?: (score: StoredScore) => void | Promise<void>;
  readonly now?: () => number;
  /** Milliseconds until a score is stored, and until it is deleted. 0 by default. */
  readonly ingestionMs?: () => number;
  readonly deletionMs?: () => number;
}

interface Job {
  readonly dueAt: number;
  readonly carryOut: () => void;
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

function createStorage(now: () => number) {
  const stored = new Map<string, StoredScore>();
  /** The order in which scores were accepted. The last one wins. */
  const orders = new Map<string, number>();
  let taken = 0;
  let jobs: Job[] = [];
  function catchUp(): void {
    const due = jobs.filter(({ dueAt }) => dueAt <= now()).toSorted((a, b) => a.dueAt - b.dueAt);
    jobs = jobs.filter((job) => !due.includes(job));
    for (const { carryOut } of due) carryOut();
  }
  return {
    add(score: StoredScore, delay: number) {
      const date = new Date(now()).toISOString().slice(0, 10);
      const key = JSON.stringify([score.id, score.name, date]);
      const order = ++taken;
      const carryOut = () => {
        if (stored.has(key) && (orders.get(key) ?? 0) > order) return;
        orders.set(key, order);
        stored.delete(key);
        stored.set(key, score);
      };
      jobs.push({ dueAt: now() + delay, carryOut });
      catchUp();
    },
    remove(id: string, delay: number) {
      const carryOut = () => {
        for (const [key, score] of stored) if (score.id === id) stored.delete(key);
      };
      jobs.push({ dueAt: now() + delay, carryOut });
      catchUp();
    },
    list() {
      catchUp();
      return [...stored.values()];
    },
  };
}

const PATH = '/api/public/scores';
const LIST_PATH = '/api/public/v3/scores';

export async function startLangfuseStandIn({
  faultOf = () => undefined,
  onStored = () => undefined,
  now = Date.now,
  ingestionMs = () => 0,
  deletionMs = () => 0,
}: StandInOptions = {}): Promise<LangfuseStandIn> {
  const storage = createStorage(now);
  const all = (id: string) => storage.list().filter((score) => score.id === id);
  const authorization = `Basic ${Buffer.from(`${CREDENTIALS.publicKey}:${CREDENTIALS.secretKey}`).toString('base64')}`;
  let requests = 0;

  const invalid = (response: ServerResponse, error: unknown) =>
    reply(response, 400, { message: 'Invalid request data', error });
  const unauthorised = (response: ServerResponse) =>
    reply(response, 401, { error: 'UnauthorizedError', message: 'Invalid credentials.' });

  async function create(body: unknown, response: ServerResponse, fault: Fault | undefined): Promise<void> {
    const score = scoreBody.safeParse(body);
    if (!score.success) return invalid(response, score.error.issues);
    if (fault === '400') return invalid(response, [{ code: 'custom', path: ['body'], message: 'because' }]);
    storage.add(score.data, ingestionMs());
    await onStored(score.data);
    if (fault === 'lost') response.destroy();
    else reply(response, 200, { id: score.data.id });
  }

  function ofOne(isDeletion: boolean, id: string, response: ServerResponse, fault: Fault | undefined): void {
    if (fault === '400') {
      invalid(response, [{ code: 'custom', path: ['query'], message: 'because' }]);
      return;
    }
    if (isDeletion) {
      storage.remove(id, deletionMs());
      if (fault === 'lost') response.destroy();
      else reply(response, 202, { message: 'Score deletion queued successfully' });
      return;
    }
    if (fault === 'lost') response.destroy();
    else reply(response, 200, { data: all(id), meta: { limit: 1 } });
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const { method = '', url = '' } = request;
    const { pathname, searchParams } = new URL(url, 'http://stand-in');
    const isList = pathname === LIST_PATH;
    const named = pathname.startsWith(`${PATH}/`)
      ? decodeURIComponent(pathname.slice(PATH.length + 1))
      : undefined;
    const fault = faultOf(requests++, scoreBody.safeParse(body).data, named);
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
    const id = isList ? (searchParams.get('id') ?? '') : named;
    if (id === undefined && pathname !== PATH) return reply(response, 404, { message: 'Not found' });
    const verb = isList ? 'GET' : id === undefined ? 'POST' : 'DELETE';
    if (method !== verb) return reply(response, 405, { message: 'Method not allowed' });
    if (request.headers.authorization !== authorization) return unauthorised(response);
    if (id !== undefined) {
      ofOne(!isList, id, response, fault);
      return;
    }
    if (request.headers['content-type'] !== 'application/json')
      return reply(response, 415, { message: 'JSON' });
    return create(body, response, fault);
  }

  const { url, stop } = await serve((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  return {
    url,
    credentials: CREDENTIALS,
    get scores() {
      return new Map(storage.list().map((score) => [score.id, score]));
    },
    all,
    requests: () => requests,
    stop,
  };
}
