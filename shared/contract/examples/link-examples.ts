/** Examples of the link routes; a test validates each against its schema. */

import { recorded, survey } from './sdk-examples.ts';

const AT = recorded.at;
const SURVEY_ID = survey.id;
const LINK_TOKEN = 'AwAAAAEBnJ9fYkCvP0mYc2lOq3hVxw';

export const deferredAskLink = {
  input: {
    respondentId: 'user-42',
    surveySlug: survey.slug,
    sessionId: 'session-8c1f',
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    expiresIn: '14d',
  },
  reply: {
    ok: true,
    url: `https://canvass.example.com/l/${LINK_TOKEN}`,
    showToken: LINK_TOKEN,
    issuedAt: AT,
    expiresAt: '2026-12-04T09:30:00.000Z',
    surveyId: SURVEY_ID,
    respondentId: 'user-42',
    sessionId: 'session-8c1f',
  },
};

export const answerLink = {
  input: { rating: '4', text: 'Paying by invoice took a while to find.' },
};
