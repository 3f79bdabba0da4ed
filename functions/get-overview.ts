import { invalid } from '../shared/contract/errors.ts';
import { OVERVIEW_PAGE, type OverviewReply } from '../shared/contract/overview-schemas.ts';
import * as routes from '../shared/contract/routes/survey-routes.ts';
import { openCursor, sealCursor } from '../shared/crypto/cursor.ts';
import type { OpenContacts } from '../shared/data/contacts/contact-index.ts';
import { countingOf } from '../shared/data/results/survey-counting.ts';
import { addDays, type DaySpan, dayAt } from '../shared/domain/days.ts';
import { goneAnswers } from '../shared/domain/gone-answers.ts';
import type { ProjectSettings } from '../shared/domain/project.ts';
import { choiceCounts, scaleAndChoices } from '../shared/domain/results/choice-results.ts';
import { type DayCounts, summariseDays } from '../shared/domain/results/results.ts';
import { type CellRule, contactRoom } from '../shared/domain/results/small-cells.ts';
import type { Survey } from '../shared/domain/surveys/survey.ts';
import { signIn } from './identity/signed-in.ts';
import { cellRuleOf, shownCells, shownResponses } from './results/shown-cells.ts';
import { secrets, serviceOnLambda } from './runtime/compose.ts';
import { endpoint } from './runtime/endpoint.ts';
import { openContacts } from './runtime/parts/contacts.ts';
import { results } from './runtime/parts/results.ts';

const WEEK_DAYS = 7;
const WEEKS = 4;
/** A page costs at most 150 read units, including contacts. */
const BATCH = 6;
const MOST_UNITS = 80;

type Line = OverviewReply['surveys'][number];

const slugOf = ({ content }: Survey): string => content.slug;

function weeksUpTo(to: string): DaySpan[] {
  const endOf = (week: number) => addDays(to, -WEEK_DAYS * (WEEKS - 1 - week));
  return Array.from({ length: WEEKS }, (_, week) => ({
    from: addDays(endOf(week), 1 - WEEK_DAYS),
    to: endOf(week),
  }));
}

interface Shown {
  readonly settings: ProjectSettings;
  readonly contacts: OpenContacts;
  readonly rule: CellRule | undefined;
}

function lineOf(
  survey: Survey,
  days: readonly DayCounts[],
  weeks: readonly DaySpan[],
  { settings, contacts, rule }: Shown,
): Line {
  const { id, status, content } = survey;
  const { slug, type, question } = content;
  const hasRoom = rule && contactRoom(days);
  const partOf = (counted: readonly DayCounts[]) => {
    const { responses, score } = summariseDays(type, counted);
    return { responses, score };
  };
  return {
    id,
    slug,
    type,
    question,
    status,
    ...scaleAndChoices(survey),
    ...partOf(days),
    ...(type === 'choice' && { distribution: choiceCounts(survey, summariseDays(type, days)) }),
    trend: weeks.map(({ from, to }) => ({
      from,
      to,
      ...partOf(days.filter(({ day }) => day >= from && day <= to)),
    })),
    allResponses: shownResponses(settings, id, rule),
    openContacts: (contacts.bySurvey.get(id) ?? []).filter((day) => hasRoom?.(day) ?? true).length,
  };
}

/** The order of pages does not depend on the order of surveys, which may change. */
export const getOverview = endpoint(
  routes.getOverview,
  async ({ input, settings, key, now, service }) => {
    const { limit = OVERVIEW_PAGE.default, cursor } = input;
    const rule = cellRuleOf(settings, key, now);
    const projectId = settings.project.id;
    const secret = await secrets(service).hashSecret();
    const scope = { projectId, purpose: 'overview', query: {} };
    const after = cursor === undefined ? '' : openCursor(secret, scope, cursor);
    if (after === undefined) return invalid('cursor', 'not issued for this query');
    const left = [...settings.surveys.values()]
      .filter((survey) => slugOf(survey) > after)
      .sort((a, b) => (slugOf(a) < slugOf(b) ? -1 : 1));

    const to = rule?.shownTo ?? dayAt(now);
    const weeks = weeksUpTo(to);
    const span = { from: weeks[0]?.from ?? '', to };
    const contacts = await openContacts(service).open(projectId, goneAnswers(settings, now), rule && span);
    const most = Math.min(limit, OVERVIEW_PAGE.max);
    const surveys: Line[] = [];
    let units = 0;
    while (surveys.length < Math.min(most, left.length) && units < MOST_UNITS) {
      const batch = left.slice(surveys.length, Math.min(most, surveys.length + BATCH));
      const lines = await Promise.all(
        batch.map(async (survey) => {
          const { shown: generation } = countingOf(survey, settings).generations;
          const place = { projectId, surveyId: survey.id, generation, ...span };
          const days = await shownCells(results(service), survey, rule).days(place, (spent) => {
            units += spent;
          });
          return lineOf(survey, days, weeks, { settings, contacts, rule });
        }),
      );
      surveys.push(...lines);
    }
    const last = surveys.at(-1)?.slug;
    return {
      ...span,
      surveys,
      openContactsCapped: contacts.more,
      ...(rule !== undefined && { smallestCell: rule.least }),
      ...(last !== undefined &&
        surveys.length < left.length && { nextCursor: sealCursor(secret, scope, last) }),
    };
  },
  { signIn },
);

export const handler = serviceOnLambda(getOverview.create);
