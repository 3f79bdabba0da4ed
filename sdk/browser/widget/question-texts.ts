/** Fetched in place of locales.ts for surveys with questions after the rating. */

import type { Asked, LocalisedSurvey, Survey } from '../client/survey.ts';
import { localise as localiseOthers } from './locales.ts';

export function localise(survey: Survey, tag: string, asked?: Asked): LocalisedSurvey {
  const localised = localiseOthers(survey, tag, asked);
  const texts = survey.locales?.[localised.language ?? '']?.questions ?? {};
  const questions = survey.questions?.map((question) => {
    const { choices: labels = {}, ...own } = texts[question.id] ?? {};
    const choices = question.choices?.map(({ code, label }) => ({ code, label: labels[code] ?? label }));
    return { ...question, ...own, ...(choices && { choices }) };
  });
  // A copy would lose the texts that follow the rating.
  return Object.assign(localised, { questions });
}
