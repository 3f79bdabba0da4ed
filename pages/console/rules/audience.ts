/** The audience of a survey as a sentence: who is asked, where, when, and how often (docs/console.md). */

import { parseDuration } from '../../../shared/domain/duration.ts';
import type { SurveyEvent } from '../../../shared/domain/surveys/conditions.ts';
import type { TargetingRule } from '../../../shared/domain/surveys/survey.ts';
import type { WrittenSurvey } from '../../../shared/domain/surveys/written-survey.ts';
import { timeWords } from './field-words.ts';

/** What of a survey says whom it is for, as a survey file writes it. */
export type Audience = Pick<
  WrittenSurvey,
  | 'slug'
  | 'trigger'
  | 'delayMs'
  | 'pages'
  | 'on'
  | 'samplePercent'
  | 'targeting'
  | 'repeat'
  | 'startsAt'
  | 'endsAt'
  | 'limits'
>;

export interface DescribedAudience {
  /** `People with plan = pro, on /orders/…, one in ten, again after 90 days at the earliest.` */
  readonly sentence: string;
  /** What depends on the page, the project or the person: sentences. */
  readonly unsaid: readonly string[];
}

const NUMBERS = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const UNITS = { s: 'second', m: 'minute', h: 'hour', d: 'day' } as const;
const SIGNS = { eq: '=', neq: 'other than', in: '=', gt: '>', lt: '<', gte: '≥', lte: '≤' } as const;

/** English joins the last of several with a word. */
function listed(parts: readonly string[], word: 'and' | 'or'): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} ${word} ${last}`;
}

/** `90d` is `90 days`. */
function durationWords(text: string): string {
  const unit = Object.entries(UNITS).find(([letter]) => text.endsWith(letter))?.[1] ?? 'second';
  const count = Number.parseInt(text, 10);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

function millisecondsWords(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  return `${seconds} second${seconds === 1 ? '' : 's'}`;
}

/** A text that could be taken for something else stands in quotes. */
const valueText = (value: unknown): string =>
  typeof value === 'string' && /^\p{L}[\p{L}\p{N}_.-]*$/u.test(value) && !/^(true|false|null)$/.test(value)
    ? value
    : JSON.stringify(value);

function ruleText({ trait, op, value }: TargetingRule): string {
  if (op === 'exists') return value === false ? `no ${trait}` : `any ${trait}`;
  const values = [value ?? null].flat().map(valueText);
  return `${trait} ${SIGNS[op]} ${listed(values, 'or')}`;
}

/** Whether somebody of whom the page does not say the trait may be asked. */
const takesUnknown = ({ op, value }: TargetingRule): boolean =>
  op === 'eq' || op === 'in'
    ? [value].flat().includes(null)
    : op === 'neq'
      ? value !== null
      : op === 'exists' && value === false;

function sampleText(percent: number): string | undefined {
  if (percent >= 100) return undefined;
  const one = 100 / percent;
  if (percent > 0 && Number.isInteger(one)) return `one in ${NUMBERS[one - 2] ?? one}`;
  return `${percent}% of them`;
}

function pagesText(pages: readonly string[]): string {
  if (pages.includes('/**')) return 'on every page';
  return `on ${listed(
    pages.map((page) => page.replace(/\*\*\/?$/, '…')),
    'or',
  )}`;
}

function eventText({ event, after, times = 1 }: SurveyEvent): string {
  const happened = `once ${event} has happened${times > 1 ? ` ${times} times` : ''}`;
  return after === undefined ? happened : `${happened}, ${durationWords(after)} later`;
}

function repeatText(repeat: Audience['repeat'] = 'never'): string {
  if (repeat === 'never') return 'once';
  if (repeat === 'session') return 'once per session';
  if (repeat === 'observation') return 'once per message';
  if (typeof repeat === 'string') return `again after ${durationWords(repeat)} at the earliest`;
  const { answered = 'never', dismissed = 'never' } = repeat;
  const waits = [
    { what: 'an answer', wait: answered },
    { what: 'a dismissal', wait: dismissed },
  ];
  const [again, never] = [true, false].map((isAgain) =>
    waits.filter(({ wait }) => (parseDuration(wait) !== undefined) === isAgain),
  );
  const after = again?.map(({ what, wait }) => `${durationWords(wait)} after ${what}`) ?? [];
  if (after.length === 0) return 'once';
  return [
    `again ${listed(after, 'and')} at the earliest`,
    ...(never ?? []).map(({ what }) => `never after ${what}`),
  ].join(', ');
}

/** Names the time zone once, at the end. */
function scheduleText(startsAt: string | undefined, endsAt: string | undefined): string | undefined {
  const start = startsAt && `from ${timeWords(startsAt, endsAt === undefined)}`;
  const end = endsAt && `until ${timeWords(endsAt, true)}`;
  return [start, end].filter(Boolean).join(' ') || undefined;
}

function whenText({ slug, trigger, delayMs = 0, on }: Audience): string | undefined {
  if (trigger === 'manual') return `when the page calls show('${slug}')`;
  if (on !== undefined) return eventText(on);
  return delayMs > 0 ? `after ${millisecondsWords(delayMs)}` : undefined;
}

function whatIsUnsaid({ slug, trigger, targeting = [], pages, on, repeat }: Audience): string[] {
  const isMinted = repeat === 'session' || repeat === 'observation';
  const namesOf = (rules: readonly TargetingRule[]) =>
    listed([...new Set(rules.map(({ trait }) => trait))], 'and');
  const unknown = targeting.filter(takesUnknown);
  const known = targeting.filter((rule) => !takesUnknown(rule));
  const needed = [...(pages === undefined ? [] : ['pages']), ...(on === undefined ? [] : ['events'])];
  return [
    ...(targeting.length > 0 ? ['The number of people depends on the traits that your product sends.'] : []),
    ...(known.length > 0 ? [`People are asked only if your product sends their ${namesOf(known)}.`] : []),
    ...(unknown.length > 0
      ? [`People can be asked even if your product does not send their ${namesOf(unknown)}.`]
      : []),
    ...(trigger === 'manual' ? [`The page's code decides when it appears, by calling show('${slug}').`] : []),
    ...(on === undefined ? [] : [`The page's code reports ${on.event} by calling track('${on.event}').`]),
    ...(needed.length > 0
      ? [`Older clients that do not support ${listed(needed, 'and')} never show it.`]
      : []),
    ...(isMinted ? ['Only your server can ask it, by minting a token. The token works on every page.'] : []),
    ...(repeat === 'observation'
      ? []
      : ['The project’s quiet period and monthly cap also decide whether a person is asked.']),
  ];
}

/** Says whom a survey is for, whatever its status. */
export function describeAudience(survey: Audience): DescribedAudience {
  const { targeting = [], pages, samplePercent = 100, repeat, startsAt, endsAt, limits = {} } = survey;
  const { maxResponses = 0, quietPeriod, ignoreQuietPeriod } = limits;
  if (samplePercent === 0) return { sentence: 'No one: the percentage of people asked is 0%.', unsaid: [] };
  const who = targeting.length === 0 ? 'Everyone' : `People with ${listed(targeting.map(ruleText), 'and')}`;
  const parts = [
    who,
    pages && pagesText(pages),
    whenText(survey),
    sampleText(samplePercent),
    repeatText(repeat),
    ignoreQuietPeriod
      ? 'ignoring other surveys'
      : quietPeriod === undefined || parseDuration(quietPeriod) === 0
        ? undefined
        : `${durationWords(quietPeriod)} after any other survey at the earliest`,
    scheduleText(startsAt, endsAt),
    maxResponses > 0 ? `until ${maxResponses} responses` : undefined,
  ];
  return {
    sentence: `${parts.filter((part) => part !== undefined).join(', ')}.`,
    unsaid: whatIsUnsaid(survey),
  };
}
