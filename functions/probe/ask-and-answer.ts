import type { Logger } from '../runtime/logger.ts';
import { type createVisitor, UnexpectedReply } from './visitor.ts';

interface ProbeParts {
  readonly visitor: Pick<ReturnType<typeof createVisitor>, 'bootstrap' | 'respond'>;
  readonly log: Logger;
  readonly clock: () => number;
  readonly respondent: () => string;
}

/** Valid on every scale. */
const RATING = 1;

export function createProbe({ visitor, log, clock, respondent }: ProbeParts): () => Promise<void> {
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
      log.info({ message: 'probe', ms: clock() - startedAt });
    } catch (error) {
      log.error({ message: 'probe failed', step, ms: clock() - startedAt, error });
      throw error;
    }
  };
}
