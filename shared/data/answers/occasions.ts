import { respondentHash } from '../../crypto/derive.ts';
import { observationTokenId, sessionMark } from '../../crypto/ids.ts';
import type { SessionIds } from '../../domain/answers/answer.ts';
import type { Occasion } from '../../domain/answers/history.ts';
import type { Survey } from '../../domain/surveys/survey.ts';
import { inFlight } from '../table/retry.ts';
import { answerKey } from '../table/schema.ts';
import type { StoreDependencies } from '../table/table.ts';

const READS_IN_FLIGHT = 10;

export interface AskedOccasion {
  readonly projectId: string;
  readonly respondentId: string;
  readonly session: SessionIds;
}

export function createOccasions({ table, secrets }: Pick<StoreDependencies, 'table' | 'secrets'>) {
  return {
    /** Makes one strongly consistent read for each requested survey that repeats by observation. */
    async of(
      { projectId, respondentId, session }: AskedOccasion,
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
      if (observationId === undefined) return { sessionMarks, observations };
      const hash = respondentHash(secret, projectId, respondentId);
      const beside = wanted.filter(({ repeat }) => repeat === 'observation');
      await inFlight(beside, READS_IN_FLIGHT, async ({ id: surveyId }) => {
        const tokenId = observationTokenId(secret, { projectId, surveyId, respondentId }, session);
        const { pk, sk } = answerKey(projectId, hash, tokenId);
        // The token of an erased answer stays used until it expires.
        const { rows } = await table.page({ partition: pk, from: sk, to: sk, attributes: ['sk'] });
        observations.set(surveyId, { tokenId, isUsed: rows.length > 0 });
      });
      return { sessionMarks, observations };
    },
  };
}
