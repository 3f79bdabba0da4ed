import { invalid, isRefusal, refuse } from '../shared/contract/errors.ts';
import * as routes from '../shared/contract/routes/sdk-routes.ts';
import { redactAnswer } from '../shared/domain/answers/answer.ts';
import { fieldsIn, pickFields } from '../shared/domain/answers/answer-fields.ts';
import { redactText } from '../shared/domain/answers/redaction.ts';
import { MOST_REVISIONS } from '../shared/domain/answers/revision.ts';
import { isSessionBound, withoutNegativeZero } from '../shared/domain/answers/show-token.ts';
import { chooseAnswers } from '../shared/domain/surveys/questions.ts';
import { chooseReasons } from '../shared/domain/surveys/reasons.ts';
import { isByPerson, isScored } from '../shared/domain/surveys/survey.ts';
import { serviceOnLambda } from './runtime/compose.ts';
import { endpoint } from './runtime/endpoint.ts';
import { revisions } from './runtime/parts/answers.ts';
import { projectSettings, surveyForAnswer } from './runtime/settings-cache.ts';
import { GENUINE_REVISION } from './token/genuine-tokens.ts';
import { countAccepted, verifyToken } from './token/verify-token.ts';

export const reviseResponse = endpoint(
  routes.reviseResponse,
  async (request) => {
    const { input, settings, now, service } = request;
    const verified = await verifyToken(request);
    if (isRefusal(verified)) return verified;
    const { claims } = verified;
    const { revision: number, rating } = input;
    const survey =
      rating === undefined
        ? verified.survey
        : await surveyForAnswer(
            verified.survey,
            { rating, answers: input.answers },
            settings.project,
            projectSettings(service),
          );
    if (survey === undefined) return refuse('rating_out_of_range');
    const chosen = rating === undefined ? undefined : chooseReasons(survey, rating, input.reasons);
    const asked = rating === undefined ? undefined : chooseAnswers(survey, rating, input.answers);
    const dropped = [...request.dropped, ...(chosen?.dropped ?? []), ...(asked?.dropped ?? [])];
    const isRedacted = settings.project.redact === true && rating !== undefined;
    const { said, redacted } = redactAnswer(
      { ...pickFields(fieldsIn('revision'), input), answers: asked?.answers },
      isRedacted ? redactText : undefined,
    );
    const outcome = await revisions(service).revise({
      projectId: settings.project.id,
      tokenId: claims.tokenId,
      // Servers mint the tokens of observations, but any page can open such a survey.
      tokenExpiresAt: isByPerson(survey) ? claims.expiresAt : undefined,
      respondentId: claims.respondentId,
      isLinked: isSessionBound(claims),
      isUnscored: !isScored(survey.content.type),
      number,
      revisedAt: new Date(now).toISOString(),
      words:
        rating === undefined
          ? undefined
          : { ...said, rating: withoutNegativeZero(rating), reasons: chosen?.reasons },
    });
    switch (outcome.kind) {
      case 'nothing':
        return refuse('response_not_found');
      case 'conflict':
        return refuse('revision_conflict', { details: { revision: outcome.revision } });
      case 'exhausted':
        return invalid('revision', `at most ${MOST_REVISIONS}; after that the answer can only be withdrawn`);
      case 'dismissed':
        return refuse('token_used', { details: { id: outcome.id, at: outcome.at, kind: 'dismissal' } });
      case 'stored': {
        countAccepted(request, claims);
        const { id, at } = outcome;
        return {
          ok: true as const,
          id,
          at,
          revision: number,
          ...(redacted.length > 0 && { redacted }),
          ...(dropped.length > 0 && { dropped }),
        };
      }
    }
  },
  { genuine: GENUINE_REVISION },
);

export const handler = serviceOnLambda(reviseResponse.create);
