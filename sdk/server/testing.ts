/** A service for tests, without a network: as a server client, and for pages through MSW or `fetch`. */

import { SYSTEM_TIMERS } from '../../shared/delivery/timing.ts';
import type { SurveyQuestion } from '../browser/client/survey.ts';
import { completeSurvey, type FakeSurvey } from '../browser/fake-survey.ts';
import type { AnySurveys } from './calls.ts';
import { type CanvassClient, createCanvassClient } from './canvass-client.ts';
import { CanvassError } from './canvass-error.ts';

export type { FakeSurvey } from '../browser/fake-survey.ts';

/** The fields of a request, without those that are null. */
export type SentFields = Readonly<Record<string, unknown>>;

/** JSON, a `Response`, a `CanvassError` to refuse with (its status 0 is a lost reply), or a function of the request. */
export type FakeReply = object | ((sent: SentFields) => object | Promise<object>);

/** Options of a fake service. */
export interface FakeServiceOptions {
  /** Surveys, or slugs of surveys of the type `thumbs`. Defaults to `['helpful']`. */
  readonly surveys?: readonly (FakeSurvey | string)[] | undefined;
}

/** A service that replies and records. */
export interface FakeService {
  /** Ids of people who may not be asked: minting returns the reason `suppressed` for them. */
  readonly suppressed: string[];
  /** Answers and their revisions, oldest first, without key, token, session, and answers that do not fit a question. */
  readonly answers: SentFields[];
  /** Requests that withdrew an answer. */
  readonly withdrawals: SentFields[];
  /** Requests that dismissed a survey. */
  readonly dismissals: SentFields[];
  /** All requests, oldest first. */
  readonly calls: { readonly method: string; readonly path: string; readonly sent: SentFields }[];
  /** Replies by path, such as `/v1/results`. They precede the service's own. */
  readonly replies: Record<string, FakeReply>;
  /** Replies to a request to any address, such as in a handler of MSW. */
  readonly handle: (request: Request) => Promise<Response>;
  /** Replaces `fetch`. */
  readonly fetch: typeof fetch;
}

/** A server client on a fake service. */
export type FakeCanvassClient<Surveys extends AnySurveys = AnySurveys> = CanvassClient<Surveys> & FakeService;

const AT = '2026-01-01T00:00:00.000Z';
const RECORDED = { ok: true, at: AT };
const HIDDEN: ReadonlySet<string> = new Set([
  ...['key', 'userToken', 'showToken', 'sessionId', 'traceId', 'observationId', 'answers'],
]);
const SESSION = ['sessionId', 'traceId', 'observationId', 'taskType'];

/** How a token was used, and its last revision. */
interface Stored {
  readonly kind: 'response' | 'dismissal';
  readonly revision: number;
  readonly said: string;
}

/** Successful requests store these, whichever reply a test sets. */
const KINDS: Readonly<Record<string, Stored['kind']>> = {
  '/v1/sdk/responses': 'response',
  '/v1/dismissals': 'dismissal',
};

const isError = (value: unknown): value is CanvassError =>
  value instanceof Error && value.name === 'CanvassError';

function refusalOf({ status, code, message, issues, details, retryAfter }: CanvassError): Response {
  if (status === 0) return Response.error();
  const wrong = issues.map((issue) => `${issue.path}: ${issue.message}`).join('; ');
  const said = message.slice(code.length + 2, wrong === '' ? undefined : -` (${wrong})`.length);
  const headers = { ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }) };
  const error = { code, message: said, requestId: 'fake', issues, details };
  return Response.json({ error }, { status, headers });
}

const refuse = (status: number, code: string, said: string, details = {}): never => {
  throw new CanvassError(said, { status, code, details });
};

function checkFields(sent: SentFields, ...names: readonly string[]): void {
  const { rating = 0 } = sent;
  const issues = names.filter((name) => !(name in sent)).map((path) => ({ path, message: 'is required' }));
  if (!Number.isInteger(rating) || Number(rating) < 0 || Number(rating) > 10)
    issues.push({ path: 'rating', message: 'must be a whole number from 0 to 10' });
  if (issues.length > 0)
    throw new CanvassError('The request is invalid.', { status: 400, code: 'invalid_request', issues });
}

const without = (sent: SentFields, names: ReadonlySet<string>): SentFields =>
  Object.fromEntries(Object.entries(sent).filter(([name]) => !names.has(name)));

const TEXT_CHARACTERS = 1_000;

/** Undefined if nothing is kept. The paths below the answer name what is dropped. */
function readAnswer(
  { kind, choices = [], min = 0, max = 0 }: SurveyQuestion,
  sent: unknown,
): { readonly value?: unknown; readonly dropped?: readonly string[] } {
  const codes: readonly unknown[] = choices.map(({ code }) => code);
  if (sent === null) return { value: null };
  if (kind === 'many' && Array.isArray(sent)) {
    const value = codes.filter((code) => sent.includes(code));
    const dropped = sent.flatMap((code, index) => (codes.includes(code) ? [] : [`.${index}`]));
    if (sent.length === 0) return { value: null };
    return value.length > 0 ? { value, dropped } : { dropped };
  }
  if (kind === 'text' && typeof sent === 'string') {
    const text = Array.from(sent).slice(0, TEXT_CHARACTERS).join('');
    return text.trim() === '' ? { value: null } : { value: text, dropped: text === sent ? [] : [''] };
  }
  const isOnScale = Number.isInteger(sent) && Number(sent) >= min && Number(sent) <= max;
  const fits = kind === 'scale' ? isOnScale : kind === 'one' && codes.includes(sent);
  return fits ? { value: sent } : { dropped: [''] };
}

/** Keeps and drops answers to questions like the service (docs/contract.md §6.12). */
function readAnswers({ answers, rating }: SentFields, questions: readonly SurveyQuestion[]) {
  const isMap = typeof answers === 'object' && answers !== null && !Array.isArray(answers);
  const dropped = answers === undefined || isMap ? [] : ['answers'];
  const kept = Object.entries(isMap ? answers : {}).flatMap(([id, sent]) => {
    const asked = questions.find(
      ({ id: own, ratings }) => own === id && ratings?.includes(Number(rating)) !== false,
    );
    const { value, dropped: paths = [] } = asked === undefined ? { dropped: [''] } : readAnswer(asked, sent);
    dropped.push(...paths.map((path) => `answers.${id}${path}`));
    return value === undefined ? [] : [[id, value] as const];
  });
  return {
    fields: kept.length > 0 ? { answers: Object.fromEntries(kept) } : {},
    reply: dropped.length > 0 ? { dropped } : {},
  };
}

async function fieldsOf(request: Request, url: URL): Promise<SentFields> {
  const text = await request.text();
  let fields: object = Object.fromEntries(url.searchParams);
  try {
    if (text !== '') fields = Object(JSON.parse(text));
  } catch {
    refuse(400, 'invalid_request', 'The body is not JSON.');
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/**
 * Creates a service for tests. It mints, and stores answers of the server client and of the browser client. Other
 * routes need an entry in `replies`.
 *
 * @example
 * const service = createFakeService({ surveys: ['helpful'] });
 * const server = setupServer(http.all('https://surveys.example.com/*', ({ request }) => service.handle(request)));
 */
export function createFakeService({ surveys = ['helpful'] }: FakeServiceOptions = {}): FakeService {
  const known = surveys.map((given) =>
    completeSurvey(typeof given === 'string' ? { slug: given, type: 'thumbs' } : given),
  );
  const suppressed: string[] = [];
  const answers: SentFields[] = [];
  const withdrawals: SentFields[] = [];
  const dismissals: SentFields[] = [];
  const calls: FakeService['calls'] = [];
  const replies: FakeService['replies'] = {};
  const used = new Map<string, Stored>();
  let tokens = 0;

  const tokenFor = ({ slug }: { readonly slug: string }) => {
    tokens += 1;
    return `fake-${slug}-${tokens}`;
  };
  const isSuppressed = (id: unknown) => suppressed.includes(String(id));
  const namedBy = ({ surveySlug, surveyId = surveySlug }: SentFields) =>
    known.filter(({ id, slug }) => surveyId === undefined || surveyId === id || surveyId === slug);
  const questionsOf = (sent: SentFields) => namedBy(sent)[0]?.questions ?? [];
  const idsOf = (those: typeof known) => those.map(({ id }) => id);

  function mint(sent: SentFields) {
    checkFields(sent, 'respondentId', 'sessionId');
    const named = namedBy(sent);
    const asked = isSuppressed(sent.respondentId) ? [] : named;
    const session = Object.fromEntries(Object.entries(sent).filter(([name]) => SESSION.includes(name)));
    const bindings = asked.map(({ id, slug }) => ({
      ...{ surveyId: id, slug, showToken: tokenFor({ slug }) },
      ...session,
    }));
    const none = Object.fromEntries(
      named.length === 0
        ? [[String(sent.surveySlug ?? sent.surveyId), 'unknown_survey']]
        : named.filter((survey) => !asked.includes(survey)).map(({ slug }) => [slug, 'suppressed']),
    );
    return {
      tokens: Object.fromEntries(bindings.map(({ surveyId, showToken }) => [surveyId, showToken])),
      bindings: Object.fromEntries(bindings.map((binding) => [binding.slug, binding])),
      suppression: asked.length === 0 ? idsOf(named) : [],
      issuedAt: AT,
      ...(Object.keys(none).length > 0 && { none }),
    };
  }

  function link(sent: SentFields) {
    checkFields(sent, 'respondentId', ...('surveyId' in sent ? [] : ['surveySlug']));
    const [survey = refuse(404, 'survey_not_found', 'The survey does not exist.')] = namedBy(sent);
    const { respondentId, sessionId = null } = sent;
    if (isSuppressed(respondentId))
      return { ok: false, reason: 'suppressed', none: { [survey.slug]: 'suppressed' } };
    const showToken = tokenFor(survey);
    const url = `https://canvass.test/l/${showToken}`;
    const expiresAt = '2026-01-08T00:00:00.000Z';
    return {
      ...{ ok: true, url, showToken, issuedAt: AT, expiresAt },
      surveyId: survey.id,
      respondentId,
      sessionId,
    };
  }

  function bootstrap({ userId }: SentFields) {
    const asked = isSuppressed(userId) ? [] : known;
    const showTokens = Object.fromEntries(asked.map((survey) => [survey.id, tokenFor(survey)]));
    return { surveys: known, suppression: asked.length === 0 ? idsOf(known) : [], showTokens };
  }

  const refuseUsed = (token: unknown, { kind }: Stored, status: number) =>
    refuse(status, 'token_used', 'The show-token has been used.', { id: `fake-${token}`, at: AT, kind });

  function store(kind: Stored['kind'], sent: SentFields) {
    checkFields(sent, 'surveyId', 'showToken', ...(kind === 'response' ? ['rating'] : []));
    const token = String(sent.showToken);
    const earlier = used.get(token);
    if (earlier !== undefined) refuseUsed(token, earlier, kind === 'response' ? 409 : 401);
    const { fields, reply } = readAnswers(sent, questionsOf(sent));
    (kind === 'response' ? answers : dismissals).push({ ...without(sent, HIDDEN), ...fields });
    return { ...RECORDED, id: `fake-${token}`, ...reply };
  }

  function revise(sent: SentFields) {
    checkFields(sent, 'surveyId', 'showToken', 'revision', ...(sent.withdraw === true ? [] : ['rating']));
    const token = String(sent.showToken);
    const earlier =
      used.get(token) ?? refuse(404, 'response_not_found', 'The answer does not exist or was erased.');
    if (earlier.kind === 'dismissal') refuseUsed(token, earlier, 409);
    const revision = Number(sent.revision);
    const said = JSON.stringify(Object.entries({ ...without(sent, HIDDEN), answers: sent.answers }).sort());
    const { fields, reply } = readAnswers(sent, questionsOf(sent));
    if (said !== earlier.said) {
      const details = { revision: earlier.revision };
      if (revision !== earlier.revision + 1)
        refuse(409, 'revision_conflict', 'The answer is at another revision.', details);
      used.set(token, { kind: 'response', revision, said });
      const isWithdrawn = sent.withdraw === true;
      const stored = { ...without(sent, new Set([...HIDDEN, 'withdraw'])), ...fields };
      (isWithdrawn ? withdrawals : answers).push(stored);
    }
    return { ...RECORDED, id: `fake-${token}`, revision, ...reply };
  }

  const own: Readonly<Record<string, (sent: SentFields) => object>> = {
    '/v1/sdk/tokens': mint,
    '/v1/sdk/deferred-ask-link': link,
    '/v1/sdk/bootstrap': bootstrap,
    '/v1/sdk/responses': (sent) => store('response', sent),
    '/v1/dismissals': (sent) => store('dismissal', sent),
    '/v1/sdk/revisions': revise,
    '/v1/impressions': () => RECORDED,
  };

  async function handle(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const path = url.pathname.slice(Math.max(0, url.pathname.indexOf('/v1/')));
    const { method } = request;
    try {
      const sent = await fieldsOf(request, url);
      calls.push({ method, path, sent });
      const given =
        replies[path] ??
        own[path] ??
        refuse(404, 'not_found', `No reply is set for ${method} ${path}: set replies['${path}'].`);
      const reply = typeof given === 'function' ? await given(sent) : given;
      if (isError(reply)) throw reply;
      const kind = KINDS[path];
      if (kind !== undefined && !used.has(String(sent.showToken)))
        used.set(String(sent.showToken), { kind, revision: 0, said: '' });
      return reply instanceof Response ? reply.clone() : Response.json(reply);
    } catch (error) {
      if (isError(error)) return refusalOf(error);
      throw error;
    }
  }

  return {
    ...{ suppressed, answers, withdrawals, dismissals, calls, replies, handle },
    async fetch(input, init) {
      init?.signal?.throwIfAborted();
      const response = await handle(new Request(input, init));
      if (response.type === 'error') throw new TypeError('fetch failed');
      return response;
    },
  };
}

/**
 * Creates the client of a fake service. It checks arguments and rejects like the real one, and repeats nothing.
 *
 * @example
 * const canvass = createFakeCanvassClient();
 * await myAgent(canvass);
 * expect(canvass.answers).toEqual([{ surveyId: 'sv_helpful', rating: 0, text: 'Wrong invoice' }]);
 */
export function createFakeCanvassClient<Surveys extends AnySurveys = AnySurveys>(
  options: FakeServiceOptions = {},
): FakeCanvassClient<Surveys> {
  const service = createFakeService(options);
  const client = createCanvassClient<Surveys>({
    baseUrl: 'https://canvass.test',
    secretKey: 'svc_sk_fake',
    fetch: service.fetch,
    // A pause before a retry ends after every deadline.
    timers: { ...SYSTEM_TIMERS, random: () => Number.POSITIVE_INFINITY },
  });
  return { ...service, ...client };
}
