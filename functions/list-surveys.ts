import * as routes from '../shared/contract/routes/results-routes.ts';
import { appearanceOf, completeFrom } from '../shared/domain/project.ts';
import { scaleAndChoices } from '../shared/domain/results/choice-results.ts';
import { shortestPeriodAt } from '../shared/domain/retention.ts';
import { reasonsEver } from '../shared/domain/surveys/reasons.ts';
import { segmentsInCells, shownSegments, shownValues, sourcesOf } from '../shared/domain/surveys/segments.ts';
import { signIn } from './identity/signed-in.ts';
import { cellRuleOf, shownResponses } from './results/shown-cells.ts';
import { serviceOnLambda } from './runtime/compose.ts';
import { endpoint } from './runtime/endpoint.ts';

export const listSurveys = endpoint(
  routes.listSurveys,
  async ({ settings, key, now }) => {
    const { project } = settings;
    const rule = cellRuleOf(settings, key, now);
    const surveys = [...settings.surveys.values()].map((survey) => {
      const { id, status, content, reasonCodes, retention } = survey;
      const segments = (rule === undefined ? shownSegments : segmentsInCells)(survey.segments);
      return {
        id,
        slug: content.slug,
        type: content.type,
        question: content.question,
        status,
        ...scaleAndChoices(survey),
        responses: shownResponses(settings, id, rule),
        segments: segments.map(({ name }) => name),
        segmentSources: sourcesOf(segments),
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
