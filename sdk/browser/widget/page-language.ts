import type { LocalisedSurvey, Survey } from '../client/survey.ts';

/** @param locale what the page has chosen; else it is the page's `lang`, else the browser's language */
export function languageOf(locale: string | undefined): string {
  return locale || document.documentElement.lang || navigator.language;
}

/** A survey in the language of a page; in its own, where the texts of that language cannot be fetched. */
export const spoken = async (
  survey: Survey,
  { locale }: { readonly locale?: string | undefined },
): Promise<LocalisedSurvey> =>
  survey.locales
    ? import('./locales.ts').then(
        ({ localise }) => localise(survey, languageOf(locale)),
        () => survey,
      )
    : survey;
