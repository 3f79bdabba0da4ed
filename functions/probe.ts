import { randomUUID } from 'node:crypto';
import { type ErrorCode, errorReply } from '../shared/contract/errors.ts';
import { type Route, statusOf } from '../shared/contract/route.ts';
import * as linkRoutes from '../shared/contract/routes/link-routes.ts';
import * as routes from '../shared/contract/routes/sdk-routes.ts';
import { createSecretReader } from '../shared/data/aws/secrets-manager.ts';
import { SECOND } from '../shared/domain/duration.ts';
import { ENVIRONMENT, PROBE_ENVIRONMENT } from '../shared/settings/environment.ts';
import { readWatching } from '../shared/settings/metrics.ts';
import { createLogger, type Logger } from './runtime/logger.ts';
import { type Environment, required, underLambda } from './runtime/service-config.ts';

const MOST_SHOWN = 200;

export class UnexpectedReply extends Error {
  override readonly name: string = 'UnexpectedReply';
}

interface VisitorOptions {
  readonly url: string;
  readonly key: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly note?: (status: number | 'failed') => void;
}

interface Sent {
  readonly init: RequestInit;
  readonly route: Route | undefined;
  readonly refusal?: ErrorCode | undefined;
}

type Tokens = Readonly<Record<string, string>>;

function check(isExpected: boolean, problem: string): void {
  if (!isExpected) throw new UnexpectedReply(problem);
}

/** An HTTP client that checks every reply against the contract. */
export function createVisitor({ url, key, timeoutMs, signal, note = () => undefined }: VisitorOptions) {
  async function textOf(target: string, init: RequestInit, wanted: number | undefined): Promise<string> {
    note('failed');
    const timeout = AbortSignal.timeout(timeoutMs);
    const ends = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    const response = await fetch(target, { ...init, redirect: 'manual', signal: ends });
    const text = await response.text();
    note(response.status);
    check(response.status === wanted, `expected ${wanted}; the reply is ${text.slice(0, MOST_SHOWN)}`);
    return text;
  }

  async function send(target: string, { init, route, refusal }: Sent): Promise<Response> {
    const wanted = refusal ? statusOf(refusal, route) : route?.success.status;
    const text = await textOf(target, init, wanted);
    const body = await new Response(text).json().catch(() => undefined);
    if (refusal) {
      const { data } = errorReply().safeParse(body);
      check(data?.error.code === refusal, `expected the error ${refusal}`);
    } else {
      const isMeant = route?.success.schema?.().safeParse(body).success === true;
      check(isMeant, 'the reply is not what the contract says');
    }
    return Response.json(body);
  }

  async function page<Reply>(
    route: Route,
    fields: object,
    refusal?: ErrorCode,
    bearer?: string,
  ): Promise<Reply> {
    const { method, path } = route;
    const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
    const headers = { 'content-type': 'application/json', ...authorization };
    const init = {
      method,
      headers,
      body: JSON.stringify({ ...(bearer === undefined && { key }), ...fields }),
    };
    const reply = await send(url.replace(/\/*$/, path), { init, route, refusal });
    return JSON.parse(await reply.text());
  }

  return {
    send,
    page,
    async bootstrap(userId: string): Promise<Tokens> {
      const { showTokens = {} } = await page<{ showTokens?: Tokens }>(routes.bootstrap, { userId });
      return showTokens;
    },
    respond: (fields: object, refusal?: ErrorCode) =>
      page<{ id: string }>(routes.submitResponse, fields, refusal),
    dismiss: (fields: object) => page(routes.submitDismissal, fields),
    /** Creates a link as a server does, opens it, and sends its form. */
    async answerByLink(secretKey: string, asked: { surveyId: string; respondentId: string }, rating: number) {
      const { deferredAskLink, showLink, answerLink } = linkRoutes;
      const link = await page<{ url?: string }>(deferredAskLink, asked, undefined, secretKey);
      if (link.url === undefined) throw new UnexpectedReply('the person may not be asked by link');
      const form = await textOf(link.url, { method: showLink.method }, showLink.success.status);
      check(form.includes('<form'), 'the page of the link has no form');
      const body = new URLSearchParams({ rating: String(rating) });
      await textOf(link.url, { method: answerLink.method, body }, answerLink.success.status);
    },
  };
}

interface ProbeDependencies {
  readonly visitor: Pick<ReturnType<typeof createVisitor>, 'bootstrap' | 'respond' | 'answerByLink'>;
  /** Without it, the probe does not ask by link. */
  readonly readMintKey?: (() => Promise<string>) | undefined;
  readonly log: Logger;
  readonly clock: () => number;
  readonly respondent: () => string;
}

/** A rating that is valid on every scale. */
const RATING = 1;

export function createProbe(dependencies: ProbeDependencies): () => Promise<void> {
  const { visitor, readMintKey, log, clock, respondent } = dependencies;
  return async () => {
    const startedAt = clock();
    const userId = respondent();
    let step = 'bootstrap';
    try {
      const [asked] = Object.entries(await visitor.bootstrap(userId));
      if (asked === undefined) throw new UnexpectedReply('there is no survey to answer');
      const [surveyId, showToken] = asked;
      step = 'submit response';
      await visitor.respond({ surveyId, showToken, rating: RATING });
      if (readMintKey !== undefined) {
        step = 'answer by link';
        await visitor.answerByLink(await readMintKey(), { surveyId, respondentId: respondent() }, RATING);
      }
      log.info({ message: 'probe', ms: clock() - startedAt });
    } catch (error) {
      log.error({ message: 'probe failed', step, ms: clock() - startedAt, error });
      throw error;
    }
  };
}

const TIMEOUT_MS = 12 * SECOND;

const readSettings = (environment: Environment) => ({
  url: required(environment, PROBE_ENVIRONMENT.url),
  key: required(environment, PROBE_ENVIRONMENT.key),
  mintKeySecretId: environment[PROBE_ENVIRONMENT.mintKeySecretId],
  metricsNamespace: environment[ENVIRONMENT.metricsNamespace],
  watching: readWatching(environment[ENVIRONMENT.watching]),
});

export const handler = underLambda(readSettings, ({ url, key, mintKeySecretId, ...metrics }) => {
  const read = createSecretReader();
  return createProbe({
    visitor: createVisitor({ url, key, timeoutMs: TIMEOUT_MS }),
    readMintKey: mintKeySecretId === undefined ? undefined : () => read(mintKeySecretId),
    log: createLogger(undefined, metrics),
    clock: Date.now,
    respondent: () => `probe-${randomUUID()}`,
  });
});
