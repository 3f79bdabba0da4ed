/** Examples of the score routes; a test validates each against its schema. */

import { tellFields } from '../../domain/answers/answer-fields.ts';
import { answer, mintTokens, recorded, survey } from './sdk-examples.ts';

const { taskType, labels } = mintTokens.input;
const AT = recorded.at;
const SURVEY_ID = survey.id;

export const listPendingScores = {
  input: { cursor: 'kq3Zc1tY0wX9vB7nR5mJ2gMjAyNi0xMS0yMFQwOTozMDowMC4wMDBaI0Fa' },
  reply: {
    scores: [
      {
        id: recorded.id,
        surveyId: SURVEY_ID,
        surveySlug: survey.slug,
        surveyType: 'csat',
        ...tellFields('scores', { ...answer, taskType, labels }),
        scale: { min: 1, max: 5 },
        sessionId: mintTokens.input.sessionId,
        traceId: mintTokens.input.traceId,
        observationId: mintTokens.input.observationId,
        respondentId: 'user-42',
        verified: true,
        at: AT,
        state: 'pending',
        attempts: 0,
        lastError: null,
        revision: 0,
        revisedAt: null,
        triedAt: null,
        withdrawn: false,
      },
    ],
  },
};

export const ackScores = {
  input: { results: [{ id: recorded.id, state: 'delivered' }] },
  reply: { ok: true, updated: 1 },
};
