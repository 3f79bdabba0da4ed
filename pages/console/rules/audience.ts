import type { TargetingRule } from '../../../shared/domain/surveys/survey.ts';
import type { WrittenSurvey } from '../../../shared/domain/surveys/written-survey.ts';
import {
  durationWords,
  eventWords,
  listed,
  plural,
  repeatWords,
  ruleWords,
  waitWords,
} from './change-words.ts';
import { timeWords } from './field-words.ts';

export type Audience = Pick<WrittenSurvey, 'slug' | 'trigger'> & Partial<WrittenSurvey>;

export interface DescribedAudience {
  /** A text such as `People whose plan is pro can be asked. Each person is asked once.` */
  readonly text: string;
  /** Rules that depend on the page, the project or the person, and are not part of the text. */
  readonly unsaid: readonly string[];
}

const NUMBERS = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];

/** Whether people without the trait match. */
const takesUnknown = ({ op, value }: TargetingRule): boolean =>
  op === 'eq' || op === 'in'
    ? [value].flat().includes(null)
    : op === 'neq'
      ? value !== null
      : op === 'exists' && value === false;

function sampleText(percent: number): string | undefined {
  if (percent >= 100) return undefined;
  const one = 100 / percent;
  if (percent > 0 && Number.isInteger(one)) return `One in ${NUMBERS[one - 2] ?? one} of them is asked.`;
  return `${percent}% of them are asked.`;
}

function pagesText(pages: readonly string[] | undefined): string {
  if (pages === undefined) return '';
  if (pages.includes('/**')) return ' on every page';
  return ` on ${listed(
    pages.map((page) => page.replace(/^(.*)\/\*\*\/?$/, '$1 and all pages below it')),
    'or on',
  )}`;
}

function whenText({ slug, trigger, delayMs = 0, on }: Audience): string {
  if (trigger === 'manual') return ` when your product calls show('${slug}')`;
  if (on !== undefined) return ` ${eventWords(on)}`;
  return delayMs > 0 ? ` ${waitWords(delayMs)} after the page opens` : '';
}

function repeatText({ trigger, repeat }: Audience): string {
  if (trigger === 'person') return 'Each person can answer up to ten times a day.';
  const words = repeatWords(repeat);
  return `Each person ${words.startsWith('again') ? 'can be' : 'is'} asked ${words}.`;
}

function limitsText({ quietPeriod, ignoreQuietPeriod, maxResponses = 0 }: NonNullable<Audience['limits']>) {
  const waits = quietPeriod !== undefined && quietPeriod !== '0';
  return [
    ignoreQuietPeriod && 'The survey ignores the quiet period.',
    !ignoreQuietPeriod &&
      waits &&
      `The survey waits at least ${durationWords(quietPeriod)} after any other survey.`,
    maxResponses > 0 && `The survey ends after ${plural(maxResponses, 'response')}.`,
  ];
}

function scheduleText({ startsAt, endsAt }: Audience): string | undefined {
  const start = startsAt && `from ${timeWords(startsAt, endsAt === undefined)}`;
  const end = endsAt && `until ${timeWords(endsAt, true)}`;
  const span = [start, end].filter(Boolean).join(' ');
  return span === '' ? undefined : `The survey runs ${span}.`;
}

function whatIsUnsaid({ slug, trigger, targeting = [], pages, on, repeat, limits }: Audience): string[] {
  const hasOwnQuietPeriod = limits?.ignoreQuietPeriod || limits?.quietPeriod !== undefined;
  const isFromServer = repeat === 'session' || repeat === 'observation';
  const namesOf = (rules: readonly TargetingRule[]) =>
    listed([...new Set(rules.map(({ trait }) => trait))], 'and');
  const unknown = targeting.filter(takesUnknown);
  const known = targeting.filter((rule) => !takesUnknown(rule));
  const isByPerson = trigger === 'person';
  const needed = [
    ...(pages === undefined ? [] : ['pages']),
    ...(on === undefined ? [] : ['events']),
    ...(isByPerson ? ['surveys that the person opens'] : []),
  ];
  const [are, can] = isByPerson ? ['can open it', 'can open it'] : ['are asked', 'can be asked'];
  return [
    targeting.length > 0 && 'The number of people depends on the traits that your product sends.',
    known.length > 0 && `People ${are} only if your product sends their ${namesOf(known)}.`,
    unknown.length > 0 && `People ${can} even if your product does not send their ${namesOf(unknown)}.`,
    trigger === 'manual' && `Your product decides when the survey appears by calling show('${slug}').`,
    isByPerson && `Your product has a button with data-canvass-open="${slug}", or calls open('${slug}').`,
    on !== undefined && `Your product reports the event by calling track('${on.event}').`,
    needed.length > 0 &&
      `Older versions of the Canvass client, which do not support ${listed(needed, 'and')}, never show the survey.`,
    isFromServer &&
      'Only your server can show the survey, with a token that it creates. The token works on every page.',
    isByPerson && 'The project’s quiet period and monthly cap do not apply.',
    !isByPerson &&
      repeat !== 'observation' &&
      `The project’s ${hasOwnQuietPeriod ? 'monthly cap also applies' : 'quiet period and monthly cap also apply'}.`,
  ].filter((each) => each !== false);
}

export function describeAudience(survey: Audience): DescribedAudience {
  const { targeting = [], pages, samplePercent = 100, limits = {} } = survey;
  if (samplePercent === 0)
    return { text: 'No one is asked, because the percentage of people asked is 0%.', unsaid: [] };
  const who = targeting.length === 0 ? 'Everyone' : `People whose ${listed(targeting.map(ruleWords), 'and')}`;
  const sentences = [
    `${who} can ${survey.trigger === 'person' ? 'open the survey' : 'be asked'}${pagesText(pages)}${whenText(survey)}.`,
    sampleText(samplePercent),
    repeatText(survey),
    ...limitsText(limits),
    scheduleText(survey),
  ];
  return { text: sentences.filter(Boolean).join(' '), unsaid: whatIsUnsaid(survey) };
}
