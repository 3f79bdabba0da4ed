import { createVisitor, UnexpectedReply } from '../../functions/probe.ts';
import { CanvassError, createCanvassClient } from '../../sdk/server/index.ts';
import { ROUTES } from '../../shared/contract/routes.ts';
import { SYSTEM_TIMERS } from '../../shared/delivery/timing.ts';
import { SECOND } from '../../shared/domain/duration.ts';
import { printable } from './terminal.ts';

/**
 * An HTTP status or an outcome. `started` means that the work continues in AWS, `none` that there was nothing to do.
 */
type StepStatus = number | 'done' | 'started' | 'none' | 'failed';

export interface SmokeStep {
  readonly step: string;
  readonly status: StepStatus;
  readonly ms: number;
  readonly problem?: string;
}

const STEP_WIDTH = 'submit linked response'.length;

function lineOf({ step, status, ms, problem }: SmokeStep): string {
  const line = `${step.padEnd(STEP_WIDTH)}  ${`${status}`.padEnd(7)}  ${`${ms}`.padStart(6)} ms`;
  return problem === undefined ? line : `${line}  ${printable(problem)}`;
}

/** The message `fetch failed` hides the cause. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause, message } = error;
  if (!(cause instanceof Error)) return message;
  return `${message}: ${'code' in cause ? String(cause.code) : cause.message}`;
}

type SmokeLog = ReturnType<typeof createSmokeLog>;

export function createSmokeLog(show: (line: string) => void, now: () => number) {
  const steps: SmokeStep[] = [];
  const log = {
    steps,
    status: 'failed' as StepStatus,
    async take<Result>(step: string, act: () => Promise<Result>, done?: StepStatus): Promise<Result> {
      const startedAt = now();
      const note = (status: StepStatus, problem?: string) => {
        const ended = { step, status, ms: now() - startedAt, ...(problem !== undefined && { problem }) };
        steps.push(ended);
        show(lineOf(ended));
      };
      log.status = 'failed';
      try {
        const result = await act();
        note(done ?? log.status);
        return result;
      } catch (thrown) {
        // The client wraps the error of its only attempt.
        const error = thrown instanceof CanvassError ? (thrown.cause ?? thrown) : thrown;
        note(error instanceof UnexpectedReply ? log.status : 'failed', explain(error));
        throw error;
      }
    },
  };
  return log;
}

/** The index of scores is usually current within a second. */
const POLLS = 30;
const POLL_PAUSE_MS = SECOND;
/** Longer than any route, including a cold start. */
const TIMEOUT_MS = 35 * SECOND;

const ANSWERING = { respondentId: 'smoke-answers' };
const LINKED = { respondentId: 'smoke-linked', sessionId: 'smoke-session' };

function check(isExpected: boolean, problem: string): void {
  if (!isExpected) throw new UnexpectedReply(problem);
}

interface AskOptions {
  readonly url: string;
  readonly log: SmokeLog;
  readonly signal: AbortSignal;
  readonly sleep: (ms: number) => Promise<unknown>;
}

/** Acts as the page, the agent's server and the score adapter (docs/contract.md §3). */
export async function askAndAnswer(
  { surveyId, publishableKey: key, secretKey }: Record<'surveyId' | 'publishableKey' | 'secretKey', string>,
  { url, log, signal, sleep }: AskOptions,
): Promise<void> {
  const { take } = log;

  const { send, bootstrap, respond, dismiss } = createVisitor({
    url,
    key,
    timeoutMs: TIMEOUT_MS,
    signal,
    note: (status) => {
      log.status = status;
    },
  });
  /** The address may have a path prefix. */
  const routeOf = (target: string, method: string | undefined) =>
    ROUTES.find((route) => route.method === method && new URL(target).pathname.endsWith(route.path));
  const canvass = createCanvassClient({
    baseUrl: url,
    secretKey,
    fetch: (target, init = {}) => send(String(target), { init, route: routeOf(String(target), init.method) }),
    // The pause exceeds the client's deadline, so it never retries.
    timers: { ...SYSTEM_TIMERS, random: () => Number.POSITIVE_INFINITY },
  });

  type Tokens = Readonly<Record<string, string>>;
  function tokenFrom(tokens: Tokens = {}): string {
    const token = tokens[surveyId];
    if (token === undefined) throw new UnexpectedReply('the reply has no show-token for the survey');
    return token;
  }
  const askFor = async (userId: string) => tokenFrom(await bootstrap(userId));

  const showToken = await take('bootstrap', () => askFor(ANSWERING.respondentId));
  const answer = { surveyId, showToken, rating: 9, text: 'smoke test' };
  const { id } = await take('submit response', () => respond(answer));
  await take('submit it again', () => respond(answer, 'token_used'));

  const userId = 'smoke-dismisses';
  const other = await take('bootstrap another', () => askFor(userId));
  await take('submit dismissal', () => dismiss({ surveyId, showToken: other, userId }));

  const linking = await take('mint token', async () =>
    tokenFrom((await canvass.mintTokens({ ...LINKED, surveyId })).tokens),
  );
  const { sessionId } = LINKED;
  const linked = await take('submit linked response', () =>
    respond({ surveyId, showToken: linking, rating: 3, sessionId }),
  );
  await take('list pending scores', async () => {
    const isListed = async () =>
      (await canvass.pendingScores()).scores.some((score) => score.id === linked.id);
    for (let poll = 1; !(await isListed()); poll++) {
      check(poll < POLLS, 'the linked response is not among the scores');
      await sleep(POLL_PAUSE_MS);
    }
  });
  await take('ack score', async () => {
    const { updated } = await canvass.ackScores([{ id: linked.id, state: 'delivered' }]);
    check(updated === 1, `${updated} scores updated, not 1`);
  });

  await take('export person', async () => {
    const { responses } = await canvass.exportResponses(ANSWERING);
    const isExported = responses.some((response) => response.id === id);
    check(isExported, 'the response is not in the export');
  });
  await take('erase person', async () => {
    const { responsesDeleted } = await canvass.erase(ANSWERING);
    check(responsesDeleted === 1, `${responsesDeleted} responses deleted, not 1`);
  });
  await take('export erased person', async () => {
    const { count } = await canvass.exportResponses(ANSWERING);
    check(count === 0, `${count} rows of the person are left`);
  });
}
