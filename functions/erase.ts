import { refuse } from '../shared/contract/errors.ts';
import { routes } from '../shared/contract/routes.ts';
import { createPurgeStarter } from '../shared/data/aws/purge-starter.ts';
import { createSecretsManagerSource } from '../shared/data/aws/secrets-manager.ts';
import { eraseModeOf } from '../shared/domain/erasure.ts';
import { eraseAccount } from './privacy/erase-account.ts';
import { erasePerson } from './privacy/erase-person.ts';
import { eraseSurvey } from './privacy/erase-survey.ts';
import { endpoint } from './runtime/endpoint.ts';
import { createErasureDependencies, type ErasureDependencies } from './runtime/erasure-dependencies.ts';
import { underLambda } from './runtime/on-lambda.ts';
import { readErasureSettings } from './runtime/runtime-settings.ts';

const PARAMETERS: ReadonlySet<string> = new Set(routes.erase.query);

/** Erases a person, a survey or the whole project. */
export const erase = endpoint(routes.erase, {
  prepare: async () => undefined,

  async handle({ input, settings, now, event }, deps: ErasureDependencies) {
    // Elsewhere what is unknown is ignored; here a mistyped `respondentId` would widen what is erased.
    const unknown = [...new URLSearchParams(event.rawQueryString).keys()].some(
      (name) => !PARAMETERS.has(name),
    );
    if (unknown || eraseModeOf(input) === undefined) return refuse('ambiguous_erase');
    const projectId = settings.project.id;
    const fresh = await deps.settings.reload(projectId);
    if (fresh === undefined) return refuse('invalid_key');
    const person = await deps.findPerson(projectId, input);
    if (person !== undefined) return erasePerson(person, fresh, now, deps);
    if (input.surveySlug !== undefined) return eraseSurvey(input.surveySlug, fresh, now, deps);
    return eraseAccount(projectId, now, deps);
  },
});

export const handler = underLambda((environment) => {
  const { stateMachineArn, ...erasure } = readErasureSettings(process.env);
  const starter = createPurgeStarter(stateMachineArn);
  const settings = { ...environment, ...erasure };
  return erase.create(
    createErasureDependencies(settings, createSecretsManagerSource(environment), { starter }),
  );
});
