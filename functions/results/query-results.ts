import { invalid, isRefusal, type Refusal, refuse } from '../../shared/contract/errors.ts';
import type { ResultsInput, ResultsReply } from '../../shared/contract/results-schemas.ts';
import type { ResultSpan } from '../../shared/data/results/result-store.ts';
import { countingOf } from '../../shared/data/results/survey-counting.ts';
import { type Bucket, chooseBucket, type DaySpan, spanBefore } from '../../shared/domain/days.ts';
import { completeFrom } from '../../shared/domain/project.ts';
import {
  choiceCounts,
  choiceDifferences,
  scaleAndChoices,
  withChoices,
} from '../../shared/domain/results/choice-results.ts';
import { comparedWith } from '../../shared/domain/results/difference.ts';
import { questionResults } from '../../shared/domain/results/question-results.ts';
import { type Bar, summariseDays, sumResults } from '../../shared/domain/results/results.ts';
import type { CellRule } from '../../shared/domain/results/small-cells.ts';
import {
  type AskedValue,
  segmentResults,
  summariseValue,
  valueResults,
} from '../../shared/domain/results/value-results.ts';
import { knownQuestions } from '../../shared/domain/surveys/questions.ts';
import { reasonResults } from '../../shared/domain/surveys/reasons.ts';
import {
  askedValue,
  FEW_VALUE,
  type Segment,
  segmentsInCells,
} from '../../shared/domain/surveys/segments.ts';
import { isByPerson, type Survey, type SurveyType } from '../../shared/domain/surveys/survey.ts';
import { results } from '../runtime/parts/results.ts';
import { knownSurvey } from '../runtime/settings-cache.ts';
import { type AskedSegment, NO_SUCH_VALUE, type Query, resolveSegment, resolveSpan } from './asked.ts';
import { type ShownCells, shownCells } from './shown-cells.ts';

const NOT_ONE_VALUE = 'combines values that have too few answers to be shown one by one';

interface Comparison {
  readonly before?: DaySpan;
  readonly against?: AskedValue;
}

function resolveComparison(
  { compare, against: text }: ResultsInput,
  span: DaySpan,
  { asked }: AskedSegment,
): Comparison | Refusal {
  if (compare !== undefined) return { before: spanBefore(span) };
  if (asked === undefined || text === undefined) return {};
  const { segment } = asked;
  const value = askedValue(segment, text);
  if (value === undefined) return invalid('against', NO_SUCH_VALUE);
  if (value === asked.value) return invalid('against', 'must differ from `value`');
  return { against: { segment, value } };
}

interface Counted {
  readonly survey: Survey;
  readonly type: SurveyType;
  readonly span: DaySpan;
  readonly by: Bucket;
  readonly store: ShownCells;
  readonly place: Omit<ResultSpan, 'from' | 'to'>;
}

function compareBars(survey: Survey, one: Bar, other: Bar) {
  const { type } = survey.content;
  return {
    ...comparedWith(type, one, other),
    ...(type === 'choice' && {
      distribution: choiceCounts(survey, other),
      differences: choiceDifferences(survey, one, other),
    }),
  };
}

const withAllChoices = <Point extends Bar, Numbers extends Bar>(
  survey: Survey,
  { series, ...numbers }: Numbers & { readonly series: readonly Point[] },
) => ({
  ...withChoices(survey, numbers),
  series: series.map((point) => withChoices(survey, point)),
});

/** Makes one query, and one more for the preceding days. */
async function queryValue(
  { survey, type, span, by, store, place }: Counted,
  asked: AskedValue,
  to: Comparison,
) {
  const { before, against } = to;
  const [days, earlier] = await Promise.all([
    store.segment({ ...place, ...span }, asked.segment),
    before && store.segment({ ...place, ...before }, asked.segment),
  ]);
  const numbers = { ...valueResults(type, asked, days, span, by), reasons: null };
  const compared = (other: Bar) => compareBars(survey, numbers, other);
  return {
    ...withAllChoices(survey, numbers),
    ...(before && earlier && { previous: { ...before, ...compared(summariseValue(type, asked, earlier)) } }),
    ...(against && {
      against: { value: against.value, ...compared(summariseValue(type, against, days)) },
    }),
  };
}

/** Makes one query, and one more each for a breakdown, for the preceding days and for questions. */
async function queryAll(
  { survey, type, span, by, store, place }: Counted,
  segment: Segment | undefined,
  { before }: Comparison,
) {
  const hasQuestions = knownQuestions(survey).length > 0;
  const [days, segmentDays, earlier, questionDays] = await Promise.all([
    store.days({ ...place, ...span }),
    segment === undefined ? [] : store.segment({ ...place, ...span }, segment),
    before && store.days({ ...place, ...before }),
    hasQuestions ? store.questions({ ...place, ...span }) : [],
  ]);
  const numbers = {
    ...sumResults(type, days, span, by),
    reasons: reasonResults(survey, days),
    ...(hasQuestions && { questions: questionResults(survey, questionDays) }),
    // Earlier impressions, from another trigger, are no part of these answers.
    ...(isByPerson(survey) && { responseRate: null }),
  };
  return {
    ...withAllChoices(survey, numbers),
    ...(before &&
      earlier && {
        previous: { ...before, ...compareBars(survey, numbers, summariseDays(type, earlier)) },
      }),
    ...(segment !== undefined && {
      segments: segmentResults(type, segment, segmentDays).map((each) => withChoices(survey, each)),
    }),
  };
}

interface ResultsQuery extends Query<ResultsInput> {
  readonly rule?: CellRule | undefined;
}

/** With small cells, results are by week unless the caller asks for days, and always if weeks are not divided by day. */
function bucketOf({ by, value }: ResultsInput, span: DaySpan, survey: Survey, isInCells: boolean): Bucket {
  const bucket = by ?? chooseBucket(span);
  const isByWeek = by === undefined || value !== undefined || segmentsInCells(survey.segments).length > 0;
  return bucket === 'day' && isInCells && isByWeek ? 'week' : bucket;
}

export async function queryResults({
  input,
  settings,
  now,
  service,
  rule,
}: ResultsQuery): Promise<ResultsReply | Refusal> {
  const span = resolveSpan(input, now);
  if (isRefusal(span)) return span;
  const survey = knownSurvey(settings, input);
  if (survey === undefined) return refuse('survey_not_found');
  const { id, content } = survey;
  const { slug, type, question } = content;
  const chosen = resolveSegment(survey, input);
  if (isRefusal(chosen)) return chosen;
  if (rule !== undefined) {
    if (input.value === FEW_VALUE) return invalid('value', NOT_ONE_VALUE);
    if (input.against === FEW_VALUE) return invalid('against', NOT_ONE_VALUE);
  }
  const comparison = resolveComparison(input, span, chosen);
  if (isRefusal(comparison)) return comparison;

  const { shown: generation } = countingOf(survey, settings).generations;
  const counted: Counted = {
    survey,
    type,
    span,
    by: bucketOf(input, span, survey, rule !== undefined),
    store: shownCells(results(service), survey, rule),
    place: { projectId: settings.project.id, surveyId: id, generation },
  };
  const { segment, asked } = chosen;
  const numbers = await (asked === undefined
    ? queryAll(counted, segment, comparison)
    : queryValue(counted, asked, comparison));
  return {
    survey: {
      ...{ id, slug, type, question, ...scaleAndChoices(survey) },
      ...(isByPerson(survey) && { trigger: 'person' }),
    },
    ...span,
    completeFrom: completeFrom(settings, id, now) || null,
    ...numbers,
    ...(rule !== undefined && { smallestCell: rule.least, shownTo: rule.shownTo }),
  };
}
