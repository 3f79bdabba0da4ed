/** A second implementation of the ask policy, without product code. Durations are in milliseconds. */

const DAY = 86_400_000;

export interface ModelSurvey {
  readonly id: string;
  /** `never` is infinite. `person`: the person opens it. */
  readonly repeat:
    | 'session'
    | 'observation'
    | 'person'
    | { readonly answered: number; readonly dismissed: number };
}

export interface ModelLimits {
  readonly quiet: number;
  readonly quietAfterDismissal: number;
  readonly cap: number;
  readonly maxShows: number;
  readonly showWindow: number;
}

export interface Past {
  readonly surveyId: string;
  readonly kind: 'response' | 'dismissal';
  readonly at: number;
  readonly sessionId?: string | undefined;
  readonly observation?: string | undefined;
  erased: boolean;
}

interface Shown {
  readonly surveyId: string;
  readonly token: string;
  readonly issuedAt: number;
}

export interface Occasion {
  readonly sessionId?: string | undefined;
  readonly observation?: string | undefined;
  /** How many answers the person may still give today to each survey that they open. */
  readonly left?: (surveyId: string) => number;
}

export interface Person {
  readonly past: Past[];
  shows: Shown[];
}

export const isBeside = ({ repeat }: ModelSurvey) => repeat === 'observation' || repeat === 'person';

export function isSuppressed(
  survey: ModelSurvey,
  { past }: Person,
  now: number,
  occasion: Occasion,
): boolean {
  const own = past.filter(({ surveyId }) => surveyId === survey.id);
  if (survey.repeat === 'person') return false;
  if (survey.repeat === 'observation') {
    return own.some(({ observation }) => observation !== undefined && observation === occasion.observation);
  }
  if (own.some(({ erased }) => erased)) return true;
  if (survey.repeat === 'session') {
    return own.some(({ sessionId, at }) => sessionId === occasion.sessionId && now < at + 31 * DAY);
  }
  const { answered, dismissed } = survey.repeat;
  return own.some(({ kind, at }) => now < at + (kind === 'response' ? answered : dismissed));
}

export function isAsked(
  survey: ModelSurvey,
  surveys: readonly ModelSurvey[],
  person: Person,
  limits: ModelLimits,
  now: number,
  occasion: Occasion,
): boolean {
  if (survey.repeat === 'session' && occasion.sessionId === undefined) return false;
  if (survey.repeat === 'observation' && occasion.observation === undefined) return false;
  if (survey.repeat === 'person' && (occasion.left?.(survey.id) ?? 0) < 1) return false;
  if (isSuppressed(survey, person, now, occasion)) return false;
  if (isBeside(survey)) return true;
  const beside = new Set(surveys.filter(isBeside).map(({ id }) => id));
  const interruptions = person.past.filter(({ surveyId }) => !beside.has(surveyId));
  const isQuiet = interruptions.some(
    ({ kind, at }) => now < at + (kind === 'response' ? limits.quiet : limits.quietAfterDismissal),
  );
  const recent = interruptions.filter(({ at }) => now - at < 30 * DAY);
  const ended = Math.max(0, ...person.past.filter((each) => each.surveyId === survey.id).map(({ at }) => at));
  const shown = person.shows.filter(
    ({ surveyId, issuedAt }) =>
      surveyId === survey.id && issuedAt > ended && now - issuedAt < limits.showWindow,
  );
  const isOver = (count: number, most: number) => most > 0 && count >= most;
  const tokens = new Set(shown.map(({ token }) => token));
  return !isQuiet && !isOver(recent.length, limits.cap) && !isOver(tokens.size, limits.maxShows);
}
