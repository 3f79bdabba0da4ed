/** Fetched for surveys in several languages, with texts by rating, or with choices. */

import { orderedFor } from '../../../shared/domain/surveys/sticky-hash.ts';
import { bestMatch } from '../../../shared/words/best-match.ts';
import type {
  Asked,
  LocalisedSurvey,
  RatingThanks,
  Survey,
  SurveyReason,
  SurveyTexts,
} from '../client/survey.ts';

/** A translation has the ratings of the entry that it translates. */
function chosen<Entry extends { readonly ratings?: number[] }>(
  rating: number,
  own: readonly Entry[] = [],
  translated: readonly Entry[] = [],
): Entry | undefined {
  const entry = own.find(({ ratings }) => !ratings || ratings.includes(rating));
  return translated.find(({ ratings }) => `${ratings}` === `${entry?.ratings}`) ?? entry;
}

const listOf = (thanks: SurveyTexts['thanks']): readonly RatingThanks[] => [thanks ?? []].flat();

const labeled = <Each extends SurveyReason>(list?: Each[], labels: Readonly<Record<string, string>> = {}) =>
  list?.map((each) => ({ ...each, label: labels[each.code] ?? each.label }));

/** Missing texts and words fall back to the survey's own (docs/contract.md §6.2). */
export function localise(survey: Survey, tag: string, asked: Asked = {}): LocalisedSurvey {
  const { locales = {}, words } = survey;
  // Only a thumb down has a follow-up question, which is read before it.
  const before = survey.type === 'thumbs' ? 0 : Number.NaN;
  const language = bestMatch(Object.keys(locales), tag);
  const texts = locales[language ?? ''] ?? {};
  const { question = survey.question } = texts;
  const labels = labeled(survey.choices, texts.choices);
  const choices = survey.shuffle && labels ? orderedFor(labels, asked.person?.id() ?? '', survey.id) : labels;
  return {
    ...survey,
    ...texts,
    ...(language && { language }),
    reasons: labeled(survey.reasons, texts.reasons),
    choices,
    questions: survey.questions,
    words: { ...words, ...texts.words },
    get followUpQuestion() {
      const entry = chosen(asked.rated ?? before, survey.followUps, texts.followUps);
      const asksWords = choices?.some(({ words, rating }) => words && rating === asked.rated);
      const own = entry?.question ?? texts.followUpQuestion ?? survey.followUpQuestion;
      return own ?? (asksWords ? question : undefined);
    },
    get thanks() {
      return chosen(asked.rated ?? before, listOf(survey.thanks), listOf(texts.thanks));
    },
  };
}
