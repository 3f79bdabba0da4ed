import { refuse } from '../shared/contract/errors.ts';
import * as routes from '../shared/contract/routes/privacy-routes.ts';
import { personIds } from '../shared/crypto/derive.ts';
import { chooseEraseMode } from '../shared/domain/answers/erasure.ts';
import { erasePerson } from './privacy/erase-person.ts';
import { eraseAccount, eraseSurvey } from './privacy/erase-survey.ts';
import { secrets, serviceOnLambda } from './runtime/compose.ts';
import { endpoint } from './runtime/endpoint.ts';
import { readQuery } from './runtime/request-input.ts';
import { projectSettings } from './runtime/settings-cache.ts';

const PARAMETERS: ReadonlySet<string> = new Set(routes.erase.query);

export const erase = endpoint(routes.erase, async ({ input, settings, now, event, service }) => {
  // A mistyped `respondentId` would widen the erasure.
  const names = [...readQuery(event.rawQueryString).keys()];
  if (names.some((name) => !PARAMETERS.has(name)) || chooseEraseMode(input) === undefined) {
    return refuse('ambiguous_erase');
  }
  const projectId = settings.project.id;
  const fresh = await projectSettings(service).reload(projectId);
  if (fresh === undefined) return refuse('invalid_key');
  const ids = personIds(await secrets(service).hashSecret(), projectId, input);
  if (ids !== undefined)
    return erasePerson(ids, fresh, { now, requestId: event.requestContext.requestId }, service);
  if (input.surveySlug !== undefined) return eraseSurvey(input.surveySlug, fresh, now, service);
  return eraseAccount(projectId, now, service);
});

export const handler = serviceOnLambda(erase.create);
