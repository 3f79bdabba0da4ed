import * as z from 'zod/mini';
import { thanksPage } from '../pages/link/word-pages.ts';
import { refuse } from '../shared/contract/errors.ts';
import { linkForm } from '../shared/contract/link-schemas.ts';
import * as routes from '../shared/contract/routes/link-routes.ts';
import { redactAnswer, type Submission } from '../shared/domain/answers/answer.ts';
import { redactText } from '../shared/domain/answers/redaction.ts';
import { responseOf } from '../shared/domain/answers/show-token.ts';
import { appearanceOf } from '../shared/domain/project.ts';
import { chooseAnswers, knownQuestions } from '../shared/domain/surveys/questions.ts';
import { chooseReasons } from '../shared/domain/surveys/reasons.ts';
import { isLowRating, type Survey } from '../shared/domain/surveys/survey.ts';
import { serviceOnLambda } from './runtime/compose.ts';
import { linkEndpoint } from './runtime/link-endpoint.ts';
import { answers } from './runtime/parts/answers.ts';
import { readForm } from './runtime/request-input.ts';
import { projectSettings, surveyForAnswer } from './runtime/settings-cache.ts';

type Form = NonNullable<ReturnType<typeof readForm>>;

/** An empty value stands for a question that the person saw. Pages that do not have the question send none. */
function answersIn(fields: Form, survey: Survey): Record<string, unknown> {
  const kinds = new Map(knownQuestions(survey).map(({ id, kind }) => [id, kind]));
  const sent = [...fields].flatMap(([name, values]): [string, unknown][] => {
    if (!name.startsWith('answers.')) return [];
    const id = name.slice('answers.'.length);
    const filled = values.filter((value) => value.trim() !== '');
    const [first = null] = filled;
    if (first === null || kinds.get(id) === 'text') return [[id, first]];
    if (kinds.get(id) === 'many') return [[id, filled]];
    return [[id, kinds.get(id) === 'scale' ? Number(first) : first]];
  });
  return Object.fromEntries(sent);
}

/** In older forms without a checkbox, an address asks for contact. */
function readAnswer(fields: Form, survey: Survey) {
  const given = [...fields].map(([name, [value = '']]) => [name, value] as const);
  const filled = Object.fromEntries(given.filter(([, value]) => value.trim() !== ''));
  const unsaid = survey.content.type === 'open' ? { rating: '0' } : {};
  const parsed = z.safeParse(linkForm(), { ...unsaid, ...filled, reasons: fields.get('reasons') });
  if (!parsed.success) return undefined;
  const { rating, contact, followUpRequested, reasons: sent } = parsed.data;
  const sentAnswers = answersIn(fields, survey);
  const isAsked = isLowRating(survey, rating);
  const isWished = contact !== undefined || (isAsked && followUpRequested !== undefined);
  const { reasons } = chooseReasons(survey, rating, sent);
  const { answers } = chooseAnswers(survey, rating, sentAnswers);
  const submission: Submission = {
    ...parsed.data,
    followUpRequested: isWished || undefined,
    reasons,
    answers,
  };
  return { rating, sentAnswers, submission };
}

export const answerLink = linkEndpoint(
  routes.answerLink,
  async ({ claims, survey, project, tags, now, event, count, service }) => {
    const fields = readForm(event);
    const known = fields && readAnswer(fields, survey);
    if (fields === undefined || known === undefined) return refuse('invalid_request');
    const sent = { rating: known.rating, answers: known.sentAnswers };
    const fresh = await surveyForAnswer(survey, sent, project, projectSettings(service));
    if (fresh === undefined) return refuse('rating_out_of_range');
    const submission = fresh === survey ? known.submission : readAnswer(fields, fresh)?.submission;
    if (submission === undefined) return refuse('invalid_request');
    const { said } = redactAnswer(submission, project.redact === true ? redactText : undefined);
    const response = responseOf({ project, survey, claims, now }, said);
    const outcome = await answers(service).redeem(response);
    if (!outcome.stored) return refuse('token_used');
    count('accepted');
    return thanksPage(survey, submission.rating, appearanceOf(project), tags);
  },
);

export const handler = serviceOnLambda(answerLink.create);
