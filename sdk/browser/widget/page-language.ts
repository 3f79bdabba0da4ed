import type { Asked, LocalisedSurvey, Survey } from '../client/survey.ts';

export function languageOf(locale: string | undefined): string {
  return locale || document.documentElement.lang || navigator.language;
}

/** The service gives surveys with choices or with texts by rating `locales` as well. If loading fails, the survey keeps its own texts. */
export const spoken = async (
  survey: Survey,
  { locale }: { readonly locale?: string | undefined },
  current?: Asked,
): Promise<LocalisedSurvey> =>
  survey.locales
    ? (survey.questions ? import('./question-texts.ts') : import('./locales.ts')).then(
        ({ localise }) => localise(survey, languageOf(locale), current),
        () => survey as LocalisedSurvey,
      )
    : (survey as LocalisedSurvey);
