/** docs/contract.md §11. */

import { tellFields } from '../../domain/answers/answer-fields.ts';
import { answer, recorded, survey } from '../examples/sdk-examples.ts';
import { eraseInput, eraseReply, exportInput, exportReply } from '../privacy-schemas.ts';
import type { Route } from '../route.ts';

const AT = recorded.at;
const SURVEY_ID = survey.id;

/** These requests are rare and expensive. Only the gateway limits them (docs/contract.md §12). */
const PRIVACY_THROTTLE = { rate: 50, burst: 100 } as const;

const exportResponsesExamples = {
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
        choice: null,
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

export const exportResponses = {
  name: 'export-responses',
  method: 'GET',
  path: '/v1/privacy/export',
  summary: 'Export the responses and dismissals of a person, a survey, or the whole project',
  description:
    '`respondentId` and `email` select one person. `surveySlug`, `from` and `to` limit the export further. Unknown parameters are refused. Without `limit` and `cursor`, the export is one reply, compressed if the client accepts gzip. If it is too large for one reply, it is refused with `export_too_large`. A page can have fewer rows than `limit`, or none. The last page has no `nextCursor`.',
  key: 'secret',
  repeated: 'reads again',
  scope: 'privacy',
  input: exportInput,
  query: ['respondentId', 'email', 'surveySlug', 'from', 'to', 'limit', 'cursor'],
  strictQuery: true,
  success: { status: 200, schema: exportReply },
  refusals: ['survey_not_found', 'respondent_not_found', 'export_too_large'],
  access: { table: ['Query', 'BatchGetItem'], byProject: ['Query'], secrets: ['hashSecret'] },
  timeoutSeconds: 30,
  throttle: PRIVACY_THROTTLE,
  examples: exportResponsesExamples,
} as const satisfies Route;

const eraseExamples = {
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

export const erase = {
  name: 'erase',
  method: 'DELETE',
  path: '/v1/privacy/erase',
  summary: 'Erase a respondent, a survey or the whole account',
  description:
    'A request selects exactly one mode: `respondentId` and/or `email`, `surveySlug`, or `account`. Other combinations and unknown parameters are refused with `ambiguous_erase`, and nothing is erased. The purge of a survey or an account continues after the reply. `account` requires a key with the scope `account`.',
  key: 'secret',
  repeated:
    'counts nothing twice; with `account`, it is refused with `invalid_key`, because the first call revokes all keys',
  scope: 'privacy',
  scopeWith: { account: 'account' },
  input: eraseInput,
  query: ['respondentId', 'email', 'surveySlug', 'account'],
  success: { status: 200, schema: eraseReply },
  refusals: ['ambiguous_erase', 'survey_not_found', 'respondent_not_found'],
  access: {
    table: ['Query', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
    byProject: ['Query'],
    erasureLog: ['PutItem'],
    secrets: ['hashSecret'],
    startsPurge: true,
    queuesEvents: true,
  },
  timeoutSeconds: 30,
  throttle: PRIVACY_THROTTLE,
  examples: eraseExamples,
} as const satisfies Route;

export const privacyRoutes = { exportResponses, erase };
