import { isRefusal, refuse } from '../shared/contract/errors.ts';
import * as routes from '../shared/contract/routes/sdk-routes.ts';
import { redactAnswer } from '../shared/domain/answers/answer.ts';
import { fieldsIn, pickFields } from '../shared/domain/answers/answer-fields.ts';
import { redactText } from '../shared/domain/answers/redaction.ts';
import { responseOf } from '../shared/domain/answers/show-token.ts';
import { chooseAnswers } from '../shared/domain/surveys/questions.ts';
import { chooseReasons } from '../shared/domain/surveys/reasons.ts';
import { serviceOnLambda } from './runtime/compose.ts';
import { endpoint } from './runtime/endpoint.ts';
import { answers } from './runtime/parts/answers.ts';
import { projectSettings, surveyForAnswer } from './runtime/settings-cache.ts';
import { GENUINE_ANSWER } from './token/genuine-tokens.ts';
import { countAccepted, verifyToken } from './token/verify-token.ts';

export const submitResponse = endpoint(
  routes.submitResponse,
  async (request) => {
    const { input, key, settings, now, service } = request;
    const verified = await verifyToken(request);
    if (isRefusal(verified)) return verified;
    const { claims } = verified;
    const survey = await surveyForAnswer(verified.survey, input, settings.project, projectSettings(service));
    if (survey === undefined) return refuse('rating_out_of_range');
    const { sessionId, observationId, traceId } = input;
    const chosen = input.reasons && chooseReasons(survey, input.rating, input.reasons);
    const asked = chooseAnswers(survey, input.rating, input.answers);
    const accepted = fieldsIn(key.kind === 'secret' ? 'server' : 'page');
    const unaccepted = fieldsIn('server').filter(
      (name) => input[name] !== undefined && !accepted.some((each) => each === name),
    );
    const dropped = [...request.dropped, ...(chosen?.dropped ?? []), ...asked.dropped, ...unaccepted];
    const { said, redacted } = redactAnswer(
      { ...pickFields(accepted, input), answers: asked.answers },
      settings.project.redact === true ? redactText : undefined,
    );
    const submission = { ...said, reasons: chosen?.reasons, sessionId, observationId, traceId };
    const response = responseOf({ project: settings.project, survey, claims, now }, submission);
    const outcome = await answers(service).redeem(response);
    if (!outcome.stored) return refuse('token_used', { details: { ...outcome.usedBy } });
    countAccepted(request, claims);
    return {
      ok: true as const,
      id: outcome.id,
      at: response.at,
      ...(redacted.length > 0 && { redacted }),
      ...(dropped.length > 0 && { dropped }),
    };
  },
  { genuine: GENUINE_ANSWER },
);

export const handler = serviceOnLambda(submitResponse.create);
