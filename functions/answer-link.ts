import { isRefusal, refuse } from '../shared/contract/errors.ts';
import * as routes from '../shared/contract/routes/link-routes.ts';
import { responseOf } from '../shared/domain/answers/answer.ts';
import { isOnScale } from '../shared/domain/surveys/survey.ts';
import { linkEndpoint } from './link/link-endpoint.ts';
import { readForm } from './link/read-form.ts';
import { thanksPage } from './link/word-pages.ts';
import { answers } from './runtime/compose.ts';
import { onLambda } from './runtime/on-lambda.ts';

/** Stores what the form behind a link says, and uses its token up, in one conditional write. */
export const answerLink = linkEndpoint(
  routes.answerLink,
  async ({ claims, survey, projectId, tags, now, event, count, service }) => {
    const submission = readForm(event);
    if (isRefusal(submission)) return submission;
    if (!isOnScale(submission.rating, survey.content.type)) return refuse('rating_out_of_range');
    const outcome = await answers(service).redeem(responseOf({ projectId, claims, now }, submission));
    if (!outcome.stored) return refuse('token_used');
    count('accepted');
    return thanksPage(survey, tags);
  },
);

export const handler = onLambda(answerLink);
