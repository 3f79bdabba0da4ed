import { routes } from '../../../shared/contract/routes.ts';
import { SECOND } from '../../../shared/domain/duration.ts';
import type { SmokeCaller } from './caller.ts';
import { type SmokeLog, StepError } from './log.ts';

/** The index of scores follows the table, as a rule within a second. */
const POLLS = 30;
const POLL_PAUSE_MS = SECOND;

export interface AskedProject {
  readonly surveyId: string;
  readonly publishableKey: string;
  readonly secretKey: string;
}

interface AskParts {
  readonly log: SmokeLog;
  readonly caller: SmokeCaller;
  readonly sleep: (ms: number) => Promise<unknown>;
}

const ANSWERING = 'smoke-answers';
const DISMISSING = 'smoke-dismisses';
const LINKED = { respondentId: 'smoke-linked', sessionId: 'smoke-session' } as const;

/**
 * Asks and answers a survey as a page, an agent's server and a score adapter do (docs/contract.md §3).
 * @throws what ended a step, which the log has
 */
export async function askAndAnswer(
  { surveyId, publishableKey: key, secretKey }: AskedProject,
  { log, caller, sleep }: AskParts,
): Promise<void> {
  const { call, refused } = caller;
  const tokenFrom = (status: number, tokens: Readonly<Record<string, string>> = {}) => {
    const result = tokens[surveyId];
    if (result === undefined) throw new StepError('the reply has no show-token for the survey', status);
    return { status, result };
  };
  const bootstrap = async (userId: string) => {
    const { status, result } = await call(routes.bootstrap, { body: { key, userId } });
    return tokenFrom(status, result.showTokens);
  };

  const showToken = await log.take('bootstrap', () => bootstrap(ANSWERING));
  const answer = { body: { key, surveyId, showToken, rating: 9, text: 'smoke test' } };
  const { id } = await log.take('submit response', () => call(routes.submitResponse, answer));
  await log.take('submit it again', () => refused(routes.submitResponse, 'token_used', answer));

  const other = await log.take('bootstrap another', () => bootstrap(DISMISSING));
  const dismissal = { body: { key, surveyId, showToken: other, userId: DISMISSING } };
  await log.take('submit dismissal', () => call(routes.submitDismissal, dismissal));

  const minted = await log.take('mint token', async () => {
    const { status, result } = await call(routes.mintTokens, { secretKey, body: { ...LINKED, surveyId } });
    return tokenFrom(status, result.tokens);
  });
  const { sessionId } = LINKED;
  const linked = await log.take('submit linked response', () =>
    call(routes.submitResponse, { body: { key, surveyId, showToken: minted, rating: 3, sessionId } }),
  );

  await log.take('list pending scores', async () => {
    for (let poll = 1; ; poll++) {
      const { status, result } = await call(routes.listPendingScores, { secretKey });
      if (result.scores.some((score) => score.id === linked.id)) return { status, result };
      if (poll === POLLS) throw new StepError('the linked response is not among the scores', status);
      await sleep(POLL_PAUSE_MS);
    }
  });
  await log.take('ack score', async () => {
    const results = [{ id: linked.id, state: 'delivered' }];
    const { status, result } = await call(routes.ackScores, { secretKey, body: { results } });
    if (result.updated !== 1) throw new StepError(`${result.updated} scores updated, not 1`, status);
    return { status, result };
  });

  const person = { secretKey, query: { respondentId: ANSWERING } };
  await log.take('export person', async () => {
    const { status, result } = await call(routes.exportResponses, person);
    if (result.responses.some((response) => response.id === id)) return { status, result };
    throw new StepError('the response is not in the export', status);
  });
  await log.take('erase person', async () => {
    const { status, result } = await call(routes.erase, person);
    if (result.responsesDeleted === 1) return { status, result };
    throw new StepError(`${result.responsesDeleted} responses deleted, not 1`, status);
  });
  await log.take('export erased person', async () => {
    const { status, result } = await call(routes.exportResponses, person);
    if (result.count === 0) return { status, result };
    throw new StepError(`${result.count} rows are left of the person`, status);
  });
}
