import { invalid, isRefusal, type Refusal, refuse } from '../../shared/contract/errors.ts';
import type { ResultsInput, ResultsReply } from '../../shared/contract/results-schemas.ts';
import { countingOf } from '../../shared/data/results/survey-counting.ts';
import { chooseBucket } from '../../shared/domain/days.ts';
import { segmentResults, sumResults } from '../../shared/domain/results/results.ts';
import { shownSegments } from '../../shared/domain/surveys/segments.ts';
import { SCALES, type Survey } from '../../shared/domain/surveys/survey.ts';
import { results } from '../runtime/compose.ts';
import { findSurvey } from '../runtime/find-survey.ts';
import { type Query, resolveSpan } from './query.ts';

const segmentNamed = ({ segments }: Survey, name: string | undefined) =>
  shownSegments(segments).find((segment) => segment.name === name);

/** What was answered to a survey over a span of days: one query, and another for a segment. */
export async function queryResults({
  input,
  settings,
  now,
  service,
}: Query<ResultsInput>): Promise<ResultsReply | Refusal> {
  const span = resolveSpan(input, now);
  if (isRefusal(span)) return span;
  const isKnown = (survey: Survey) =>
    input.segment === undefined || segmentNamed(survey, input.segment) !== undefined;
  const survey = await findSurvey(input, settings, service, isKnown);
  if (survey === undefined) return refuse('survey_not_found');
  const { id, content } = survey;
  const { slug, type, question } = content;
  const segment = segmentNamed(survey, input.segment);
  if (input.segment !== undefined && segment === undefined) {
    const names = shownSegments(survey.segments).map(({ name }) => name);
    return invalid('segment', `the survey's segments are ${names.join(', ')}`);
  }

  const { shown: generation } = countingOf(survey, settings).generations;
  const place = { projectId: settings.project.id, surveyId: id, generation, ...span };
  const store = results(service);
  const [days, counts] = await Promise.all([
    store.days(place),
    segment === undefined ? undefined : store.segment(place, segment.name),
  ]);
  return {
    survey: { id, slug, type, question, scale: SCALES[type] },
    ...span,
    ...sumResults(type, days, span, input.by ?? chooseBucket(span)),
    ...(segment !== undefined && { segments: segmentResults(type, segment, counts ?? []) }),
  };
}
