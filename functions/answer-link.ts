import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod/mini';
import { thanksPage } from '../pages/link/word-pages.ts';
import { isRefusal, type Refusal, refuse } from '../shared/contract/errors.ts';
import { linkForm } from '../shared/contract/link-schemas.ts';
import * as routes from '../shared/contract/routes/link-routes.ts';
import type { Submission } from '../shared/domain/answers/answer.ts';
import { redactAnswer } from '../shared/domain/answers/answer.ts';

import { redactText } from '../shared/domain/answers/redaction.ts';
import { responseOf } from '../shared/domain/answers/show-token.ts';
import { appearanceOf } from '../shared/domain/project.ts';
import { chooseAnswers } from '../shared/domain/surveys/questions.ts';
import { chooseReasons } from '../shared/domain/surveys/reasons.ts';
import { isLowRating, type Survey } from '../shared/domain/surveys/survey.ts';
import { serviceOnLambda } from './runtime/compose.ts';
import { linkEndpoint } from './runtime/link-endpoint.ts';
import { answers } from './runtime/parts/answers.ts';
import { readForm } from './runtime/request-input.ts';
import { projectSettings, surveyOnScale } from './runtime/settings-cache.ts';

/** In older forms without a checkbox, an address asks for contact. */
function readAnswer(event: APIGatewayProxyEventV2, survey: Survey): Submission | Refusal {
  const fields = readForm(event);
  if (fields === undefined) return refuse('invalid_request');
  const given = [...fields].map(([name, [value = '']]) => [name, value] as const);
  const filled = Object.fromEntries(given.filter(([, value]) => value.trim() !== ''));
  const unsaid = survey.content.type === 'open' ? { rating: '0' } : {};
  const parsed = z.safeParse(linkForm(), { ...unsaid, ...filled, reasons: fields.get('reasons') });
  if (!parsed.success) return refuse('invalid_request');
  const { rating, contact, followUpRequested, reasons: sent, answers: sentAnswers } = parsed.data;
  const isAsked = isLowRating(survey, rating);
  const isWished = contact !== undefined || (isAsked && followUpRequested !== undefined);
  const { reasons } = chooseReasons(survey, rating, sent);
  const { answers } = chooseAnswers(survey, rating, sentAnswers);
  return { ...parsed.data, followUpRequested: isWished || undefined, reasons, answers };
}

export const answerLink = linkEndpoint(
  routes.answerLink,
  async ({ claims, survey, project, tags, now, event, count, service }) => {
    const read = readAnswer(event, survey);
    if (isRefusal(read)) return read;
    const fresh = await surveyOnScale(survey, { rating: read.rating }, project, projectSettings(service));
    if (fresh === undefined) return refuse('rating_out_of_range');
    const submission = fresh === survey ? read : readAnswer(event, fresh);
    if (isRefusal(submission)) return submission;
    const { said } = redactAnswer(submission, project.redact === true ? redactText : undefined);
    const response = responseOf({ project, survey, claims, now }, said);
    const outcome = await answers(service).redeem(response);
    if (!outcome.stored) return refuse('token_used');
    count('accepted');
    return thanksPage(survey, submission.rating, appearanceOf(project), tags);
  },
);

export const handler = serviceOnLambda(answerLink.create);
