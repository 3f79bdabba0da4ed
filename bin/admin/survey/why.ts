/** Evaluates rules in the same way as bootstrap, mint and the browser. */

import { InvalidArgumentError } from 'commander';
import { answers, occasions } from '../../../functions/runtime/parts/answers.ts';
import { isOnPage, isTargeted } from '../../../sdk/browser/client/targeting.ts';
import { identifier } from '../../../shared/contract/fields.ts';
import { STEP_MS } from '../../../shared/data/answers/suppression-item.ts';
import type { Occasion } from '../../../shared/domain/answers/history.ts';
import { formatDuration } from '../../../shared/domain/duration.ts';
import { utcMonth } from '../../../shared/domain/project.ts';
import { completeFromOf, isGone } from '../../../shared/domain/retention.ts';
import type { SurveyEvent } from '../../../shared/domain/surveys/conditions.ts';
import { checkRules, type RuleCheck } from '../../../shared/domain/surveys/eligibility.ts';
import type { Repeat } from '../../../shared/domain/surveys/repeat.ts';
import { stickyHash } from '../../../shared/domain/surveys/sticky-hash.ts';
import { isByPerson, type Survey, type TargetingRule } from '../../../shared/domain/surveys/survey.ts';
import { misuse } from '../admin-error.ts';
import type { Report } from '../command.ts';
import { namedSurvey, type Session } from '../session.ts';
import { columns, timeText } from '../terminal.ts';

interface WhyFlags {
  readonly project: string;
  readonly respondent: string;
  readonly session?: string;
  readonly observation?: string;
  readonly trace?: string;
  readonly trait?: Traits;
  readonly page?: string;
}

const isoOf = (at: number): string => new Date(at).toISOString();

function repeatText(repeat: Repeat): string {
  if (typeof repeat === 'string') return `once a ${repeat}`;
  const { answeredMs, dismissedMs } = repeat;
  const wait = (duration?: number) =>
    duration === undefined ? 'never again' : `again ${formatDuration(duration)}`;
  return `asked ${wait(answeredMs)} after an answer, ${wait(dismissedMs)} after a dismissal`;
}

const countText = (value = 0, limit = 0, of: string): string =>
  limit === 0 ? `${value} ${of}, no limit` : `${value} of ${limit} ${of}`;

function activeText({ status, startsAt, endsAt }: Survey): string {
  const days = [startsAt && `from ${timeText(startsAt)}`, endsAt && `until ${timeText(endsAt)}`].filter(
    (text) => text !== undefined,
  );
  return [status, ...days].join(' ');
}

/** For a deleted answer, the rules may still have its time, rounded up. */
const goneText = (value: number | undefined, keptFrom: string): string =>
  value !== undefined && isGone(isoOf(value - STEP_MS), keptFrom) ? '; the answer is no longer kept' : '';

function figureOf(
  { rule, passed, value, limit, after = 'answer' }: RuleCheck,
  survey: Survey,
  now: number,
  keptFrom: string,
): string {
  switch (rule) {
    case 'inactive':
      return activeText(survey);
    case 'unbound': {
      if (isByPerson(survey)) return 'the person opens it';
      const one = survey.repeat === 'session' ? 'session' : 'observation';
      return passed ? `asked once a ${one}` : `asked once a ${one}, only by mint`;
    }
    case 'suppressed': {
      if (isByPerson(survey)) return 'does not apply: the person opens it';
      if (survey.repeat === undefined)
        return passed ? 'neither answered nor dismissed' : 'answered or dismissed';
      const last = value === undefined ? '' : ` on ${timeText(isoOf(value))}`;
      return `${passed ? 'not answered or dismissed lately' : `answered or dismissed${last}`}, ${repeatText(survey.repeat)}${goneText(value, keptFrom)}`;
    }
    case 'history_too_long':
      return passed
        ? 'few enough answers to check'
        : 'too many answers to check; asked again a day later, when they have been summarized';
    case 'quiet_period': {
      const last = value === undefined ? `no ${after} yet` : `last ${after} on ${timeText(isoOf(value))}`;
      const quiet = limit ? `quiet for ${formatDuration(limit)}` : 'no quiet period';
      return `${last}, ${quiet}${goneText(value, keptFrom)}`;
    }
    case 'monthly_cap':
      return countText(value, limit, 'answers and dismissals in 30 days');
    case 'shown_often':
      return countText(value, limit, 'shows without an answer');
    case 'answered_often':
      return countText(value, limit, 'answers today');
    case 'survey_maximum':
      return countText(value, limit, 'responses');
    case 'project_quota':
      return countText(value, limit, `responses in ${utcMonth(now)}`);
  }
}

/** The check is as strict as the routes that issue tokens. */
function assertIds({ respondent, session, observation, trace }: WhyFlags): void {
  for (const [flag, id] of Object.entries({ respondent, session, observation, trace })) {
    const problem = id === undefined ? undefined : identifier().safeParse(id).error?.issues[0]?.message;
    if (problem !== undefined) throw misuse(`--${flag} ${problem}.`);
  }
  for (const [flag, id] of Object.entries({ observation, trace })) {
    if (id !== undefined && session === undefined) throw misuse(`--${flag} requires --session.`);
  }
}

async function occasionOf(session: Session, flags: WhyFlags, survey: Survey): Promise<Occasion | undefined> {
  const { project: projectId, respondent: respondentId, session: sessionId } = flags;
  if (sessionId === undefined && !isByPerson(survey)) return undefined;
  const ids = { sessionId, observationId: flags.observation, traceId: flags.trace };
  return occasions(session.service).of(
    { projectId, respondentId, session: ids, now: session.now() },
    [survey],
    [survey],
  );
}

const NAMES: Readonly<Record<string, string>> = {
  targeting: 'the traits match',
  pages: 'the page matches',
  event: 'its event has happened',
};

const dependsOn = (rules: readonly { readonly rule: string; readonly passed: boolean | null }[]): string =>
  rules
    .filter(({ passed }) => passed === null)
    .map(({ rule }) => NAMES[rule])
    .join(' and ');

export async function explainSurvey(
  session: Session,
  flags: WhyFlags,
  [slug = '']: readonly string[],
): Promise<Report> {
  assertIds(flags);
  const { project: projectId, respondent: respondentId } = flags;
  const record = await session.record(projectId);
  const survey = namedSurvey(record, slug);
  const history = await answers(session.service).history(projectId, respondentId);
  const now = session.now();
  const { project, totals } = record;
  const occasion = await occasionOf(session, flags, survey);
  const keptFrom = completeFromOf([project.retention, survey.retention], now);
  const rulesOf = { limits: project.limits, totals };
  const checks = [...checkRules(survey, { history, occasion }, rulesOf, now)];
  const issued = checks.every(({ passed }) => passed);
  if (project.status === 'suspended') {
    session.terminal.note(
      `warning: project ${projectId} is suspended, so browsers are refused whatever the rules say.`,
    );
  }
  const rules = checks.map((check) => ({
    rule: check.rule,
    passed: check.passed,
    figure: figureOf(check, survey, now, keptFrom),
    until: check.until === undefined ? null : isoOf(check.until),
  }));
  const byClient = checkClientRules(survey, respondentId, flags.trait, flags.page).map((check) => ({
    ...check,
    until: null,
  }));
  const all = [...rules, ...byClient];
  const rows = all.map(({ rule, passed, figure, until }) => [
    rule,
    passed === null ? '?' : passed ? 'yes' : 'no',
    figure,
    passed === false ? timeText(until) || 'never' : '',
  ]);
  const [is, can] = isByPerson(survey)
    ? ['cannot be opened', 'can be opened']
    : ['is not shown', 'can be shown'];
  const verdict = all.some(({ passed }) => passed === false)
    ? `${is} now`
    : all.some(({ passed }) => passed === null)
      ? `${can} now if ${dependsOn(all)}`
      : `${can} now`;
  return {
    json: { slug, respondentId, issued, rules: all },
    text: `${columns(['RULE', 'PASSED', 'FIGURE', 'PASSES AT'], rows, session.terminal)}\n${slug} ${verdict}.`,
  };
}

type Traits = Readonly<Record<string, string | number | boolean | null>>;

interface Checked {
  /** Null if the result depends on something unknown. */
  readonly passed: boolean | null;
  readonly figure: string;
}

function traitValue(text: string): Traits[string] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? text : (value as Traits[string]);
  } catch {
    return text;
  }
}

export function addTrait(text: string, traits: Traits = {}): Traits {
  const at = text.indexOf('=');
  const name = text.slice(0, at);
  if (at < 1) throw new InvalidArgumentError('Write a trait as name=value.');
  if (Object.hasOwn(traits, name)) throw new InvalidArgumentError(`${name} is given twice.`);
  return Object.fromEntries([...Object.entries(traits), [name, traitValue(text.slice(at + 1))]]);
}

const ruleText = ({ trait, op, value }: TargetingRule): string =>
  [trait, op, ...(value === undefined ? [] : [JSON.stringify(value)])].join(' ');

function checkTargeting(rules: readonly TargetingRule[], traits: Traits | undefined): Checked {
  if (rules.length === 0) return { passed: true, figure: 'everybody' };
  if (traits === undefined) {
    const names = new Set(rules.map(({ trait }) => trait));
    return { passed: null, figure: `depends on traits: ${[...names].join(', ')}` };
  }
  const failed = rules.filter((rule) => !isTargeted(traits, [rule]));
  return {
    passed: isTargeted(traits, rules),
    figure:
      failed.length === 0 ? rules.map(ruleText).join(', ') : `not ${failed.map(ruleText).join(', not ')}`,
  };
}

function checkSample({ id, content }: Survey, respondentId: string): Checked {
  const { samplePercent: percent = 100 } = content;
  const place = stickyHash(respondentId, id) % 100;
  const figure = percent >= 100 ? 'everybody' : `${place} of 0 to 99, asked below ${percent}`;
  return { passed: place < percent, figure };
}

function checkPages({ content: { pages = [] } }: Survey, page: string | undefined): Checked {
  const figure = pages.join(', ');
  return page === undefined
    ? { passed: null, figure: `depends on the page: ${figure}` }
    : { passed: isOnPage(pages, page), figure };
}

const checkEvent = ({ event, times = 1 }: SurveyEvent): Checked => ({
  passed: null,
  figure: `depends on the page's code: track('${event}')${times > 1 ? `, ${times} times in a visit` : ''}`,
});

/** @param traits undefined if unknown @param page the path of the page; undefined if unknown */
export const checkClientRules = (
  survey: Survey,
  respondentId: string,
  traits: Traits | undefined,
  page?: string,
) => {
  const { targeting = [], pages, on } = survey.content;
  return [
    { rule: 'targeting' as const, ...checkTargeting(targeting, traits) },
    { rule: 'sample' as const, ...checkSample(survey, respondentId) },
    ...(pages === undefined ? [] : [{ rule: 'pages' as const, ...checkPages(survey, page) }]),
    ...(on === undefined ? [] : [{ rule: 'event' as const, ...checkEvent(on) }]),
  ];
};
