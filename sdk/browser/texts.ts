import type { Survey } from './wire.ts';

export type LocalisedSurvey = Survey & {
  /** The key of `locales` whose texts are used; absent when they are the survey's own. */
  readonly language?: string;
};

/**
 * A survey in a language: `pt-BR` takes `pt-BR`, else `pt`, else the survey's own texts, and each text that a locale
 * lacks falls back to the survey's own (docs/contract.md §6.2). Case does not matter.
 */
export function localise(survey: Survey, language: string): LocalisedSurvey {
  for (let tag = language.toLowerCase(); tag; tag = tag.replace(/-?[^-]*$/, '')) {
    for (const [name, texts] of Object.entries(survey.locales ?? {})) {
      if (name.toLowerCase() === tag) return { ...survey, ...texts, language: name };
    }
  }
  return survey;
}
