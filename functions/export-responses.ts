import { invalid, refuse } from '../shared/contract/errors.ts';
import { EXPORT_PAGE } from '../shared/contract/privacy-schemas.ts';
import * as routes from '../shared/contract/routes/privacy-routes.ts';
import { openCursor, sealCursor } from '../shared/crypto/cursor.ts';
import { personIds } from '../shared/crypto/derive.ts';
import type { WalkPosition } from '../shared/data/answers/answer-walk.ts';
import { SECOND } from '../shared/domain/duration.ts';
import { completeFromBySlug, goneAnswers } from '../shared/domain/gone-answers.ts';
import { surveyWithSlug } from '../shared/domain/surveys/survey.ts';
import { createGzipBody, createPlainBody, writePage, writeWhole } from './privacy/write-export.ts';
import { clock, secrets, serviceOnLambda } from './runtime/compose.ts';
import { endpoint } from './runtime/endpoint.ts';
import { walks } from './runtime/parts/answers.ts';
import { acceptsGzip } from './runtime/request-input.ts';
import { projectSettings } from './runtime/settings-cache.ts';

/** The request ends after 26 s. The rest covers key lookup, the last batch and compression. */
const TIME_LIMIT_MS = 20 * SECOND;

const PAGED_AHEAD = 100;

const formatPosition = ({ source, after }: WalkPosition): string => `${source} ${after}`;

function parsePosition(text: string): WalkPosition {
  const space = text.indexOf(' ');
  return { source: Number(text.slice(0, space)), after: text.slice(space + 1) };
}

export const exportResponses = endpoint(
  routes.exportResponses,
  async ({ input, settings, now, event, service }) => {
    const { surveySlug, cursor, limit, from: firstDay, to: lastDay, ...person } = input;
    const days = { from: firstDay, to: lastDay };
    const projectId = settings.project.id;
    const fresh = await projectSettings(service).reload(projectId);
    if (fresh === undefined) return refuse('invalid_key');
    const survey = surveyWithSlug(fresh.surveys.values(), surveySlug);
    if (surveySlug !== undefined && survey === undefined) return refuse('survey_not_found');
    const surveyId = survey?.id;

    const secret = await secrets(service).hashSecret();
    const respondentIds = personIds(secret, projectId, person);
    const query = { ids: respondentIds && JSON.stringify(respondentIds), surveyId, ...days };
    const scope = { projectId, purpose: 'export', query };
    const position = cursor === undefined ? undefined : openCursor(secret, scope, cursor);
    if (cursor !== undefined && position === undefined) return invalid('cursor', 'not issued for this query');
    const from = position === undefined ? undefined : parsePosition(position);
    const isPaged = limit !== undefined || cursor !== undefined;
    const isGone = goneAnswers(fresh, now);
    const walked =
      respondentIds === undefined
        ? walks(service).ofProject(
            { projectId, surveyId, days, isGone },
            from,
            isPaged ? PAGED_AHEAD : undefined,
          )
        : walks(service).ofRespondents({ projectId, respondentIds, surveyId, days, isGone }, from);

    const completeFrom = completeFromBySlug(fresh, now);
    const options = {
      head: {
        projectId,
        exportedAt: new Date(now).toISOString(),
        ...(completeFrom !== undefined && { completeFrom }),
      },
      surveys: fresh.surveys,
      body: acceptsGzip(event.headers['accept-encoding']) ? createGzipBody() : createPlainBody(),
      withShows: respondentIds !== undefined,
      isOutOfTime: () => clock(service)() - now >= TIME_LIMIT_MS,
    };
    const pageSize = Math.min(limit ?? EXPORT_PAGE.default, EXPORT_PAGE.max);
    const { reply, rows } = isPaged
      ? await writePage(walked, options, pageSize, (at) => sealCursor(secret, scope, formatPosition(at)))
      : await writeWhole(walked, options);
    const isEmpty = rows === 0 && from === undefined && respondentIds !== undefined;
    if (isEmpty && !(await walks(service).isKnown(projectId, respondentIds))) {
      return refuse('respondent_not_found');
    }
    return reply;
  },
);

export const handler = serviceOnLambda(exportResponses.create);
