/** Fetched for surveys in several languages. */

import { bestMatch } from '../../../shared/words/best-match.ts';
import type { LocalisedSurvey, Survey } from '../client/survey.ts';

/** Missing texts and words fall back to the survey's own (docs/contract.md §6.2). */
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
