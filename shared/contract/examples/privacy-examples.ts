/** Examples of the privacy routes; a test validates each against its schema. */

import { tellFields } from '../../domain/answers/answer-fields.ts';
import { answer, recorded, survey } from './sdk-examples.ts';

const AT = recorded.at;
const SURVEY_ID = survey.id;

export const exportResponses = {
  input: { respondentId: 'user-42' },
  reply: {
    projectId: '3f9a0c5d7e21b846',
    exportedAt: AT,
    count: 1,
    responses: [
      {
        id: recorded.id,
        surveyId: SURVEY_ID,
        surveySlug: survey.slug,
        surveyType: survey.type,
        ...tellFields('export', answer),
        respondentId: 'user-42',
        verified: false,
        sessionId: null,
        traceId: null,
        observationId: null,
        linked: false,
        scoreState: null,
        source: 'sdk',
        revision: 0,
        revisedAt: null,
        withdrawn: false,
        handled: null,
        at: AT,
      },
    ],
    dismissals: [],
    shows: [{ surveyId: SURVEY_ID, surveySlug: survey.slug, surveyType: survey.type, at: AT }],
  },
};

export const erase = {
  input: { respondentId: 'user-42' },
  reply: {
    ok: true,
    mode: 'respondent',
    respondentIds: ['user-42'],
    responsesDeleted: 1,
    dismissalsDeleted: 0,
    suppressionRetained: 1,
    note: 'Copies that were already delivered to other systems are not reached; erase them there.',
  },
};
