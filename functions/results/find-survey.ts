/** Which survey a question about results is about, and over which days. */

import { invalid, type Refusal, refuse } from '../../shared/contract/errors.ts';
import { DEFAULT_SPAN_DAYS, LONGEST_SPAN_DAYS } from '../../shared/contract/results-schemas.ts';
import { addDays, countDays, type DaySpan, dayAt } from '../../shared/domain/days.ts';
import type { ProjectSettings } from '../../shared/domain/project.ts';
import type { Survey } from '../../shared/domain/survey.ts';
import { projectSettings, type Service } from '../runtime/compose.ts';

/** A question about results: of a route's caller, or of an operator. */
export interface Query<Input> {
  readonly input: Input;
  readonly settings: ProjectSettings;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly service: Service;
}

interface SpanInput {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** @param now milliseconds since the epoch */
export function resolveSpan(input: SpanInput, now: number): DaySpan | Refusal {
  const to = input.to ?? dayAt(now);
  const span = { from: input.from ?? addDays(to, 1 - DEFAULT_SPAN_DAYS), to };
  if (span.from > to) return invalid('from', 'must not be after `to`');
  if (countDays(span) > LONGEST_SPAN_DAYS)
    return invalid('from', `at most ${LONGEST_SPAN_DAYS} days at once`);
  return span;
}

interface SurveyInput {
  readonly surveySlug?: string | undefined;
  readonly surveyId?: string | undefined;
}

/**
 * The survey among the settings, or among those of another instance that may know it already.
 * @param isKnown whether the settings know all that is asked about the survey
 */
export async function findSurvey(
  { surveySlug, surveyId }: SurveyInput,
  settings: ProjectSettings,
  service: Service,
  isKnown: (survey: Survey) => boolean = () => true,
): Promise<Survey | Refusal> {
  const find = ({ surveys }: ProjectSettings) =>
    [...surveys.values()].find(({ id, content }) => id === surveyId || content.slug === surveySlug);
  const known = find(settings);
  if (known !== undefined && isKnown(known)) return known;
  const fresh = await projectSettings(service).reload(settings.project.id);
  return (fresh && find(fresh)) ?? refuse('survey_not_found');
}
