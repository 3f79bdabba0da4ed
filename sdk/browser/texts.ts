import { bestMatch } from '../../shared/words/best-match.ts';
import type { Survey, SurveyReason } from './wire.ts';

/** A survey with its texts in the page's language. */
export type LocalisedSurvey = Omit<Survey, 'reasons'> & {
  /** Their labels in that language, too. */
  readonly reasons?: SurveyReason[] | undefined;
  /** The key of `locales` whose texts are used; absent when they are the survey's own. */
  readonly language?: string;
};

/** @param locale what the page has chosen; else it is the page's `lang`, else the browser's language */
export function languageOf(locale: string | undefined): string {
  return locale || document.documentElement.lang || navigator.language;
}

/**
 * A survey in a language. Each text that its locale lacks, and each of its words, falls back to the survey's own
 * (docs/contract.md §6.2).
 */
export function localise(survey: Survey, tag: string): LocalisedSurvey {
  const { locales = {}, words } = survey;
  const language = bestMatch(Object.keys(locales), tag) ?? '';
  const texts = locales[language];
  return texts
    ? {
        ...survey,
        ...texts,
        reasons: survey.reasons?.map((each) => ({
          ...each,
          label: texts.reasons?.[each.code] ?? each.label,
        })),
        words: { ...words, ...texts.words },
        language,
      }
    : survey;
}
