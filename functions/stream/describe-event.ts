/** See docs/contract.md §18. */

import type * as z from 'zod/mini';
import type {
  accountPurgedDetail,
  dismissalDetail,
  respondentErasedDetail,
  responseDetail,
  responsesExpiredDetail,
  scoreFailedDetail,
  surveyChangedDetail,
  surveyDetail,
} from '../../shared/contract/event-schemas.ts';
import { answersById, answerTexts, isCoded } from '../../shared/domain/answers/answer.ts';
import { tellFields } from '../../shared/domain/answers/answer-fields.ts';
import { type CanvassEvent, EVENT_SOURCE, type Happening, newsOf } from '../../shared/domain/happening.ts';
import { choiceOf, isLowRating, type Survey } from '../../shared/domain/surveys/survey.ts';

type Detail<Schema extends () => z.ZodMiniType> = z.output<ReturnType<Schema>>;

export interface EventOptions {
  readonly deployment: string;
  readonly includeText: boolean;
}

type ResponseHappening = Extract<Happening, { readonly response: object }>;

function surveyPart(surveyId: string, survey: Survey | undefined) {
  const { slug, type } = survey?.content ?? {};
  return { surveyId, surveySlug: slug ?? null, surveyType: type ?? null };
}

const isStored = ({ type }: ResponseHappening): boolean =>
  type === 'Response Recorded' || type === 'Response Revised';

function responsePart(
  happening: ResponseHappening,
  survey: Survey | undefined,
  { includeText }: EventOptions,
): Omit<Detail<typeof responseDetail>, keyof Detail<typeof accountPurgedDetail>> {
  const { response } = happening;
  const { rating } = response;
  const { identityKind, taskType, labels, channel, answers: _, ...said } = tellFields('events', response);
  const { answers } = response;
  const chosen = choiceOf(survey, rating);
  return {
    ...surveyPart(response.surveyId, survey),
    answerId: response.answerId,
    respondentId: response.respondentId,
    source: response.source,
    identityKind,
    ...said,
    answers: answersById(answers, isCoded),
    choice: chosen?.code ?? null,
    low: rating === undefined || survey === undefined ? null : isLowRating(survey, rating),
    became: isStored(happening) ? newsOf(survey, response) : [],
    sessionId: response.sessionId ?? null,
    observationId: response.observationId ?? null,
    traceId: response.traceId ?? null,
    taskType,
    labels,
    channel,
    revision: response.revision,
    ...(chosen !== undefined && { choiceLabel: chosen.label }),
    ...(includeText && {
      ...tellFields('eventTexts', response),
      answerTexts: answerTexts(answers),
    }),
  };
}

function detailOf(happening: Happening, survey: Survey | undefined, options: EventOptions) {
  const { id, at, projectId } = happening;
  const base: Detail<typeof accountPurgedDetail> = {
    version: 1,
    id,
    at,
    deployment: options.deployment,
    projectId,
  };
  switch (happening.type) {
    case 'Response Recorded':
    case 'Response Revised':
    case 'Response Withdrawn':
      return { ...base, ...responsePart(happening, survey, options) } satisfies Detail<typeof responseDetail>;
    case 'Score Failed': {
      const { attempts } = happening;
      const response = responsePart(happening, survey, options);
      return { ...base, ...response, attempts } satisfies Detail<typeof scoreFailedDetail>;
    }
    case 'Dismissal Recorded': {
      const { surveyId, answerId, respondentId } = happening;
      return { ...base, ...surveyPart(surveyId, survey), answerId, respondentId } satisfies Detail<
        typeof dismissalDetail
      >;
    }
    case 'Survey Shown':
      return { ...base, ...surveyPart(happening.surveyId, survey) } satisfies Detail<typeof surveyDetail>;
    case 'Survey Purged':
      return { ...base, ...surveyPart(happening.surveyId, undefined) } satisfies Detail<typeof surveyDetail>;
    case 'Survey Changed': {
      const { by, source, revision, surveys, isReordered } = happening.change;
      const changed = surveys.map(({ slug, action, fields }) => ({
        surveySlug: slug,
        action,
        fields: [...fields],
      }));
      return { ...base, by, source, revision, surveys: changed, reordered: isReordered } satisfies Detail<
        typeof surveyChangedDetail
      >;
    }
    case 'Responses Expired': {
      const { surveyId, day, responses, dismissals } = happening;
      return { ...base, ...surveyPart(surveyId, survey), day, responses, dismissals } satisfies Detail<
        typeof responsesExpiredDetail
      >;
    }
    case 'Account Purged':
      return base;
    case 'Respondent Erased':
      return { ...base, respondentId: happening.respondentId } satisfies Detail<
        typeof respondentErasedDetail
      >;
  }
}

export const describeEvent = (
  happening: Happening,
  survey: Survey | undefined,
  options: EventOptions,
): CanvassEvent => ({
  source: EVENT_SOURCE,
  'detail-type': happening.type,
  detail: detailOf(happening, survey, options),
});
