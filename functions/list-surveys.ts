import * as routes from '../shared/contract/routes/results-routes.ts';
import { appearanceOf, completeFrom } from '../shared/domain/project.ts';
import { shortestPeriodAt } from '../shared/domain/retention.ts';
import { reasonsEver } from '../shared/domain/surveys/reasons.ts';
import { declaredSources, shownSegments, shownValues } from '../shared/domain/surveys/segments.ts';
import { TYPES } from '../shared/domain/surveys/survey.ts';
import { signIn } from './identity/signed-in.ts';
import { serviceOnLambda } from './runtime/compose.ts';
import { endpoint } from './runtime/endpoint.ts';

export const listSurveys = endpoint(
  routes.listSurveys,
  async ({ settings, now }) => {
    const { project } = settings;
    const surveys = [...settings.surveys.values()].map((survey) => {
      const { id, status, content, segments, reasonCodes, retention } = survey;
      return {
        id,
        slug: content.slug,
        type: content.type,
        question: content.question,
        status,
        scale: TYPES[content.type].scale,
        responses: Math.max(0, settings.totals.answered?.get(id) ?? 0),
        segments: shownSegments(segments).map(({ name }) => name),
        segmentSources: declaredSources(segments),
        segmentValues: shownValues(segments),
        keeps: shortestPeriodAt([project.retention, retention], now),
        completeFrom: completeFrom(settings, id, now) || null,
        reasons: reasonsEver({ content, reasonCodes }),
      };
    });
    const { name, accent = null } = appearanceOf(project);
    return { project: { id: project.id, name, accent }, surveys };
  },
  { signIn },
);

export const handler = serviceOnLambda(listSurveys.create);
