/** Examples of the privacy routes; a test validates each against its schema. */

import { recorded, submitResponse, survey } from './sdk-examples.ts';

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
        rating: 4,
        text: submitResponse.input.text,
        followUpRequested: false,
        contact: null,
        reasons: null,
        respondentId: 'user-42',
        identityKind: 'identified',
        verified: false,
        traits: { plan: 'team', seats: 12 },
        sessionId: null,
        traceId: null,
        observationId: null,
        taskType: null,
        labels: null,
        channel: null,
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
