/** The requests of a smoke test: one attempt each, and a reply that is what the contract says. */

import type * as z from 'zod/mini';
import { errorReply } from '../../../shared/contract/error-reply.ts';
import type { ErrorCode } from '../../../shared/contract/errors.ts';
import { type Route, statusOf } from '../../../shared/contract/route.ts';
import { SECOND } from '../../../shared/domain/duration.ts';
import { StepError } from './log.ts';

/** Longer than any route may take, and a cold start. */
const TIMEOUT_MS = 35 * SECOND;
const MOST_SHOWN = 200;

interface Called<Schema extends z.ZodMiniType> extends Route {
  readonly success: Route['success'] & { readonly schema: Schema };
}

interface Parts {
  readonly secretKey?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

interface Received<Reply> {
  readonly status: number;
  readonly result: Reply;
}

export interface SmokeCaller {
  /** @throws StepError unless the reply is a success */
  call<Schema extends z.ZodMiniType>(
    route: Called<Schema>,
    parts: Parts,
  ): Promise<Received<z.output<Schema>>>;
  /** @throws StepError unless the request is refused in this way */
  refused(route: Route, code: ErrorCode, parts: Parts): Promise<Received<void>>;
}

interface SmokeCallerParts {
  /** Where the stage answers, without a path. */
  readonly url: string;
  /** Ends the request under way. */
  readonly signal: AbortSignal;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function createSmokeCaller({ url, signal }: SmokeCallerParts): SmokeCaller {
  async function send({ method, path }: Route, { secretKey, query, body }: Parts) {
    const target = new URL(`${url.replace(/\/+$/, '')}${path}`);
    target.search = new URLSearchParams(query).toString();
    const response = await fetch(target, {
      method,
      headers: {
        ...(secretKey !== undefined && { authorization: `Bearer ${secretKey}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    return { status: response.status, text: await response.text() };
  }

  function expect(wanted: number, { status, text }: Awaited<ReturnType<typeof send>>): unknown {
    if (status === wanted) return parse(text);
    throw new StepError(`expected ${wanted}; the reply is ${text.slice(0, MOST_SHOWN)}`, status);
  }

  return {
    async call(route, parts) {
      const { status, schema } = route.success;
      const body = expect(status, await send(route, parts));
      const reply = schema.safeParse(body);
      if (reply.success) return { status, result: reply.data };
      throw new StepError('the reply is not what the contract says', status);
    },
    async refused(route, code, parts) {
      const status = statusOf(code, route);
      const reply = errorReply().safeParse(expect(status, await send(route, parts)));
      if (reply.data?.error.code === code) return { status, result: undefined };
      throw new StepError(`expected the error ${code}`, status);
    },
  };
}
