import { bestMatch } from '../../shared/words/best-match.ts';
import type { Survey } from './wire.ts';

/** A survey with its texts in the page's language. */
export type LocalisedSurvey = Survey & {
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
  const { reasons: labels = {}, ...texts } = locales[language] ?? {};
  if (!language) return survey;
  const localised = { ...survey, ...texts, words: { ...words, ...texts.words }, language };
  const reasons = survey.reasons?.map(({ code, label }) => ({ code, label: labels[code] ?? label }));
  return { ...localised, ...(reasons && { reasons }) };
}
