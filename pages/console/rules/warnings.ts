import { canonicalText } from '../../../shared/domain/canonical-text.ts';
import { DAY, parseDuration } from '../../../shared/domain/duration.ts';
import { plainThanks, type Rated, ratedThanks } from '../../../shared/domain/surveys/by-rating.ts';
import {
  hasScale,
  type SurveyQuestion,
  type SurveyReason,
  type SurveyTexts,
} from '../../../shared/domain/surveys/survey.ts';
import { fieldsBetween, type WrittenSurvey } from '../../../shared/domain/surveys/written-survey.ts';
import { listed, ratingWords } from './change-words.ts';
import { languageName } from './field-words.ts';
import { ratingsIn } from './rating-entries.ts';

/** They change the meaning of responses. */
const ASKED = new Set(['question', 'endLabels']);
/** They change who answers. */
const WHO = new Set(['targeting', 'samplePercent', 'pages', 'on', 'trigger', 'repeat', 'presentation']);
const SHORTEST_REPEAT = 7 * DAY;

function shortestWait(repeat: WrittenSurvey['repeat']): number {
  const waits = typeof repeat === 'object' ? Object.values(repeat) : [repeat];
  return Math.min(...waits.map((wait) => parseDuration(wait ?? '') ?? Number.POSITIVE_INFINITY));
}

const isPublic = ({ status }: WrittenSurvey): boolean => status === 'active';

const CODED = [
  ['reasons', 'reason'],
  ['choices', 'choice'],
] as const;

/** Warns of removed entries, and of labels that earlier responses take over. */
const ofCodes = (what: string, before: readonly SurveyReason[] = [], after: readonly SurveyReason[] = []) =>
  before.flatMap(({ code, label }) => {
    const now = after.find((each) => each.code === code);
    if (now === undefined)
      return [`The ${what} “${label}” will no longer be offered. Responses with this ${what} still count.`];
    return now.label === label
      ? []
      : [
          `Earlier responses with “${label}” will count as “${now.label}”. If it means something else, add a ${what} instead.`,
        ];
  });

/** Warns of removed questions, and of texts that earlier answers take over. */
const ofQuestions = (before: readonly SurveyQuestion[] = [], after: readonly SurveyQuestion[] = []) =>
  before.flatMap(({ id, text, choices }) => {
    const now = after.find((each) => each.id === id);
    if (now === undefined) return [`The question “${text}” will no longer be asked. Its answers are kept.`];
    const reworded = `Earlier answers to “${text}” will count as answers to “${now.text}”. If it means something else, add a question with a new ID instead.`;
    return [...(now.text === text ? [] : [reworded]), ...ofCodes('choice', choices, now.choices)];
  });

function ofChange(base: WrittenSurvey, mine: WrittenSurvey): string[] {
  const fields = fieldsBetween(base, mine).map(({ field }) => field);
  const breakdowns = fields.flatMap((field) => /^segments\.(.*)/.exec(field)?.[1] ?? []);
  const isOther = canonicalText(base.words?.values) !== canonicalText(mine.words?.values);
  const result = hasScale(mine.type) ? 'score' : 'results';
  const removed = Object.keys(base.locales ?? {}).filter((tag) => mine.locales?.[tag] === undefined);
  return [
    (fields.some((field) => ASKED.has(field)) || isOther) &&
      `Responses from before and after this change count toward the same ${result}. To keep them apart, create a new survey.`,
    mine.trigger === 'person' &&
      base.trigger !== 'person' &&
      'The results will no longer have a response rate, because the person opens the survey.',
    fields.some((field) => WHO.has(field)) &&
      `This changes who is asked, which can change the ${result} by itself.`,
    ...CODED.flatMap(([field, what]) => ofCodes(what, base[field], mine[field])),
    ...ofQuestions(base.questions, mine.questions),
    ...removed.map((tag) => `People who read ${languageName(tag)} will see the survey’s original language.`),
    ...breakdowns
      .filter((name) => mine.segments?.[name] !== undefined)
      .map((name) => `The breakdown by ${name} will count only new responses, not earlier ones.`),
    isPublic(base) &&
      !isPublic(mine) &&
      'The survey will no longer be shown. Its responses are kept, and people who have it open can still answer.',
  ].filter((each) => each !== false);
}

function lackingIn(mine: WrittenSurvey, texts: SurveyTexts): string[] {
  const { followUpQuestion, followUps = [], endLabels, thanks } = mine;
  const isPartial = mine.questions?.some(({ id, choices = [], endLabels }) => {
    const own = texts.questions?.[id];
    const isCoded = choices.every(({ code }) => own?.choices?.[code]);
    return !own?.text || !isCoded || (endLabels && !own.endLabels);
  });
  const coded = CODED.filter(([field]) => mine[field]?.some(({ code }) => !texts[field]?.[code]));
  return [
    ...(texts.question ? [] : ['the question']),
    ...(followUpQuestion && !texts.followUpQuestion ? ['the follow-up question'] : []),
    ...(followUps.length > (texts.followUps ?? []).length ? ['some follow-up questions by rating'] : []),
    ...(endLabels && !texts.endLabels ? ['the scale labels'] : []),
    ...(isPartial ? ['some texts of the questions after the rating'] : []),
    ...coded.map(([field]) => `some ${field}`),
    ...(plainThanks(thanks) && !plainThanks(texts.thanks) ? ['the thank-you message'] : []),
    ...(ratedThanks(thanks).length > ratedThanks(texts.thanks).length
      ? ['some thank-you messages by rating']
      : []),
  ];
}

const untranslated = (mine: WrittenSurvey): string[] =>
  Object.entries(mine.locales ?? {}).flatMap(([tag, texts]) => {
    const lacking = lackingIn(mine, texts);
    return lacking.length === 0
      ? []
      : [
          `The ${languageName(tag)} translation is missing ${listed(lacking, 'and')}. People see the original text instead.`,
        ];
  });

const hidden = (what: string, entries: readonly Rated[] = []): string[] =>
  entries.flatMap(({ ratings = [] }, at) => {
    const earlier = ratingsIn(entries.slice(0, at));
    return ratings.every((rating) => earlier.includes(rating))
      ? [`The ${what} for ${ratingWords(ratings)} never appears, because earlier ones have the same ratings.`]
      : [];
  });

function ofPublished(mine: WrittenSurvey, now: number): string[] {
  const { targeting = [], samplePercent = 100, trigger, presentation, slug, endsAt, limits, type } = mine;
  const isNeverLow = mine.reasons !== undefined && mine.choices?.every(({ low }) => !low) === true;
  const isForAll = targeting.length === 0 && samplePercent === 100;
  return [
    endsAt !== undefined && Date.parse(endsAt) <= now && 'The end time has passed, so no one is asked.',
    samplePercent === 0 && 'The percentage of people asked is 0%, so no one is asked.',
    isForAll &&
      trigger === 'auto' &&
      type !== 'thumbs' &&
      'No condition or percentage limits who is asked. Consider starting with a smaller percentage, such as 10%.',
    (shortestWait(mine.repeat) < SHORTEST_REPEAT || mine.repeat === 'session') &&
      'The same person can be asked again within a week.',
    limits?.ignoreQuietPeriod === true &&
      'This survey ignores the quiet period. People can be asked right after another survey.',
    presentation === 'inline' &&
      type !== 'thumbs' &&
      `Your developers must add a slot to the page first: an element with data-canvass="${slug}".`,
    trigger === 'manual' &&
      type !== 'thumbs' &&
      `The survey appears only when your product calls canvass.show('${slug}'). Ask your developers to add that call.`,
    trigger === 'person' &&
      `The survey appears only when the person opens it. Ask your developers to add a button with data-canvass-open="${slug}".`,
    isNeverLow && 'The reasons never appear, because no choice counts as a low rating.',
    ...hidden('follow-up question', mine.followUps),
    ...hidden('thank-you message', ratedThanks(mine.thanks)),
    ...untranslated(mine),
  ].filter((each) => each !== false);
}

/** @param now milliseconds since the epoch */
export function warningsOf(base: WrittenSurvey | undefined, mine: WrittenSurvey, now: number): string[] {
  const wasAsked = base !== undefined && base.status !== 'draft';
  return [...(wasAsked ? ofChange(base, mine) : []), ...(isPublic(mine) ? ofPublished(mine, now) : [])];
}
