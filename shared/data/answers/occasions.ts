import { respondentHash } from '../../crypto/derive.ts';
import { observationTokenId, sessionMark, startedTokenIds } from '../../crypto/ids.ts';
import type { SessionIds } from '../../domain/answers/answer.ts';
import type { Occasion } from '../../domain/answers/history.ts';
import { dayAt } from '../../domain/days.ts';
import { isByPerson, type Survey } from '../../domain/surveys/survey.ts';
import { inFlight } from '../table/retry.ts';
import { answerKey } from '../table/schema.ts';
import type { StoreDependencies } from '../table/table.ts';

const READS_IN_FLIGHT = 10;

export interface AskedOccasion {
  readonly projectId: string;
  readonly respondentId: string;
  readonly session: SessionIds;
  readonly now: number;
}

export function createOccasions({ table, secrets }: Pick<StoreDependencies, 'table' | 'secrets'>) {
  return {
    /** Makes one strongly consistent read for each wanted survey that repeats by observation or that people open. */
    async of(
      { projectId, respondentId, session, now }: AskedOccasion,
      surveys: Iterable<Survey>,
      wanted: readonly Survey[],
    ): Promise<Occasion> {
      const secret = await secrets.hashSecret();
      const { sessionId, observationId } = session;
      const sessionMarks = new Map<string, string>();
      if (sessionId !== undefined) {
        for (const { id: surveyId, repeat } of surveys) {
          if (repeat !== 'session') continue;
          sessionMarks.set(surveyId, sessionMark(secret, { projectId, surveyId }, sessionId));
        }
      }
      const observations = new Map<string, { readonly tokenId: string; readonly isUsed: boolean }>();
      const started = new Map<string, { readonly tokenId: string | undefined; readonly used: number }>();
      const hash = respondentHash(secret, projectId, respondentId);
      await inFlight(wanted.filter(isByPerson), READS_IN_FLIGHT, async ({ id: surveyId }) => {
        const ids = startedTokenIds(secret, { projectId, surveyId, respondentId }, dayAt(now));
        const keys = ids.map((tokenId) => answerKey(projectId, hash, tokenId));
        const [{ pk, sk: from } = { pk: '', sk: '' }, { sk: to } = { sk: '' }] = [keys.at(0), keys.at(-1)];
        const { rows } = await table.page({ partition: pk, from, to, attributes: ['sk'] });
        const free = keys.findIndex(({ sk }) => rows.every((row) => row.sk !== sk));
        started.set(surveyId, { tokenId: ids[free], used: rows.length });
      });
      if (observationId === undefined) return { sessionMarks, observations, started };
      const beside = wanted.filter((survey) => survey.repeat === 'observation' && !isByPerson(survey));
      await inFlight(beside, READS_IN_FLIGHT, async ({ id: surveyId }) => {
        const tokenId = observationTokenId(secret, { projectId, surveyId, respondentId }, session);
        const { pk, sk } = answerKey(projectId, hash, tokenId);
        // The token of an erased answer stays used until it expires.
        const { rows } = await table.page({ partition: pk, from: sk, to: sk, attributes: ['sk'] });
        observations.set(surveyId, { tokenId, isUsed: rows.length > 0 });
      });
      return { sessionMarks, observations, started };
    },
  };
}
