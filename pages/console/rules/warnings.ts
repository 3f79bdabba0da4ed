/** What somebody should know before they publish: said, not forbidden. */

import { canonicalText } from '../../../shared/domain/canonical-text.ts';
import { DAY, parseDuration } from '../../../shared/domain/duration.ts';
import type { SurveyTexts } from '../../../shared/domain/surveys/survey.ts';
import { fieldsBetween } from '../../../shared/domain/surveys/written-changes.ts';
import type { WrittenSurvey } from '../../../shared/domain/surveys/written-survey.ts';
import { languageName } from './field-words.ts';

/** After which answers say something else than before. */
const ASKED = new Set(['question', 'endLabels']);
/** After which other people answer. */
const WHO = new Set(['targeting', 'samplePercent', 'pages', 'on', 'trigger', 'repeat', 'presentation']);
const SHORTEST_REPEAT = 7 * DAY;

function shortestWait(repeat: WrittenSurvey['repeat']): number {
  const waits = typeof repeat === 'object' ? Object.values(repeat) : [repeat];
  return Math.min(...waits.map((wait) => parseDuration(wait ?? '') ?? Number.POSITIVE_INFINITY));
}

const isPublic = ({ status }: WrittenSurvey): boolean => status === 'active';

function ofChange(base: WrittenSurvey, mine: WrittenSurvey): string[] {
  const fields = fieldsBetween(base, mine).map(({ field }) => field);
  const apart = fields.flatMap((field) => /^segments\.(.*)/.exec(field)?.[1] ?? []);
  const isOther = canonicalText(base.words?.values) !== canonicalText(mine.words?.values);
  const codes = (mine.reasons ?? []).map(({ code }) => code);
  const gone = (base.reasons ?? []).filter(({ code }) => !codes.includes(code));
  const silenced = Object.keys(base.locales ?? {}).filter((tag) => mine.locales?.[tag] === undefined);
  return [
    ...(fields.some((field) => ASKED.has(field)) || isOther
      ? ['Answers before and after will be added up; make a new survey to keep them apart.']
      : []),
    ...(fields.some((field) => WHO.has(field))
      ? ['Other people will answer than before: a score that moves may come from that alone.']
      : []),
    ...gone.map(({ label }) => `The reason “${label}” is no longer offered; who chose it stays counted.`),
    ...silenced.map(
      (tag) => `People whose language is ${languageName(tag)} will read the survey’s first language.`,
    ),
    ...apart
      .filter((name) => mine.segments?.[name] !== undefined)
      .map(
        (name) => `Results by ${name} count what is new of it in answers from now on, not in earlier ones.`,
      ),
    ...(isPublic(base) && !isPublic(mine)
      ? ['Nobody is asked any more. What was answered stays, and who has it open may still answer.']
      : []),
  ];
}

/** What the survey says of its own and a language does not. */
function lackingIn(mine: WrittenSurvey, texts: SurveyTexts): string[] {
  const { followUpQuestion, endLabels, reasons = [], thanks } = mine;
  const isLacking = reasons.some(({ code }) => !texts.reasons?.[code]);
  return [
    ...(texts.question ? [] : ['the question']),
    ...(followUpQuestion && !texts.followUpQuestion ? ['the follow-up question'] : []),
    ...(endLabels && !texts.endLabels ? ['the labels of the scale'] : []),
    ...(isLacking ? ['reasons'] : []),
    ...(thanks && !texts.thanks ? ['the thanks'] : []),
  ];
}

const untranslated = (mine: WrittenSurvey): string[] =>
  Object.entries(mine.locales ?? {}).flatMap(([tag, texts]) => {
    const lacking = lackingIn(mine, texts);
    return lacking.length === 0
      ? []
      : [
          `Not translated into ${languageName(tag)}: ${lacking.join(', ')}. People see your own words instead.`,
        ];
  });

function ofPublished(mine: WrittenSurvey, now: number): string[] {
  const { targeting = [], samplePercent = 100, trigger, presentation, slug, endsAt, limits, type } = mine;
  const isForAll = targeting.length === 0 && samplePercent === 100;
  return [
    ...(endsAt !== undefined && Date.parse(endsAt) <= now ? ['Its end has passed: nobody is asked.'] : []),
    ...(samplePercent === 0 ? ['Its share of people is 0 %: nobody is asked.'] : []),
    ...(isForAll && trigger === 'auto' && type !== 'thumbs'
      ? ['Everybody who opens your product may be asked. Begin with a share of people, such as 10 %.']
      : []),
    ...(shortestWait(mine.repeat) < SHORTEST_REPEAT || mine.repeat === 'session'
      ? ['The same person may be asked within a week.']
      : []),
    ...(limits?.ignoreQuietPeriod === true
      ? ['It ignores the quiet period: people may be asked although another survey has just asked them.']
      : []),
    ...(presentation === 'inline' && type !== 'thumbs'
      ? [`Engineering has to give it a place in the page once: an element with data-canvass="${slug}".`]
      : []),
    ...(trigger === 'manual' && type !== 'thumbs'
      ? [`It waits until your product calls canvass.show('${slug}'): ask engineering for that once.`]
      : []),
    ...untranslated(mine),
  ];
}

/**
 * @param base as everybody sees it now; absent of a new survey
 * @param now milliseconds since the epoch
 */
export function warningsOf(base: WrittenSurvey | undefined, mine: WrittenSurvey, now: number): string[] {
  const wasAsked = base !== undefined && base.status !== 'draft';
  return [...(wasAsked ? ofChange(base, mine) : []), ...(isPublic(mine) ? ofPublished(mine, now) : [])];
}
