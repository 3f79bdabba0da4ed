import { invalid, refuse } from '../shared/contract/errors.ts';
import { EXPORT_PAGE } from '../shared/contract/privacy-schemas.ts';
import { routes } from '../shared/contract/routes.ts';
import { createSecretsManagerSource } from '../shared/data/aws/secrets-manager.ts';
import { SECOND } from '../shared/domain/duration.ts';
import { acceptsGzip, createGzipBody, createPlainBody } from './privacy/export-body.ts';
import { findSurvey } from './privacy/find-survey.ts';
import { writePage, writeWhole } from './privacy/write-export.ts';
import { endpoint } from './runtime/endpoint.ts';
import { createExportDependencies, type ExportDependencies } from './runtime/export-dependencies.ts';
import { underLambda } from './runtime/on-lambda.ts';

/**
 * Counted from the end of authentication, against a deadline of 26 s from the start of the request: what is left is for
 * looking the key up, the last batch of rows, and the compression.
 */
const TIME_LIMIT_MS = 20 * SECOND;

/** Rows that a page reads at once: it ends in the middle of some, which the next page reads again. */
const PAGED_AHEAD = 100;

/** Exports what the project holds: of one person, of one survey, or everything. */
export const exportResponses = endpoint(routes.exportResponses, {
  prepare: async () => undefined,

  async handle({ input, settings, now, event }, deps: ExportDependencies) {
    const { surveySlug, cursor, limit, ...personQuery } = input;
    const projectId = settings.project.id;
    const fresh = await deps.settings.reload(projectId);
    if (fresh === undefined) return refuse('invalid_key');
    const { surveys } = fresh;
    const survey = findSurvey(surveys, surveySlug);
    if (surveySlug !== undefined && survey === undefined) return refuse('survey_not_found');
    const person = await deps.findPerson(projectId, personQuery);

    const surveyId = survey?.id;
    const scope = {
      projectId,
      purpose: 'export',
      query: { ids: person && JSON.stringify(person.ids), surveyId },
    };
    const from = cursor === undefined ? undefined : await deps.cursors.open(scope, cursor);
    if (cursor !== undefined && from === undefined) return invalid('cursor', 'not issued for this query');
    const isPaged = limit !== undefined || cursor !== undefined;
    const project = { projectId, ...(surveyId !== undefined && { surveyId }) };
    const walked =
      person === undefined
        ? deps.walks.ofProject(project, from, isPaged ? PAGED_AHEAD : undefined)
        : deps.walks.ofRespondents({ projectId, hashes: person.hashes, surveyId }, from);

    const options = {
      head: { projectId, exportedAt: new Date(now).toISOString() },
      surveys,
      withDismissals: person !== undefined,
      body: acceptsGzip(event.headers['accept-encoding']) ? createGzipBody() : createPlainBody(),
      isOutOfTime: () => deps.clock() - now >= TIME_LIMIT_MS,
    };
    const { reply, rows } = isPaged
      ? await writePage(
          walked,
          options,
          Math.min(limit ?? EXPORT_PAGE.default, EXPORT_PAGE.max),
          (position) => deps.cursors.seal(scope, position),
        )
      : await writeWhole(walked, options);
    const isUnknown = rows === 0 && from === undefined && person !== undefined;
    if (isUnknown && !(await deps.walks.isKnown(projectId, person.hashes)))
      return refuse('respondent_not_found');
    return reply;
  },
});

export const handler = underLambda((environment) =>
  exportResponses.create(createExportDependencies(environment, createSecretsManagerSource(environment))),
);
