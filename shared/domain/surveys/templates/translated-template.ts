/** Template surveys in the languages of the widget. A translation is found by its English text. */

import type { SurveyReason, SurveyTexts } from '../survey.ts';
import type { WrittenSurvey } from '../written-survey.ts';
import { TEMPLATES, type Template, type TemplateName } from './templates.ts';

type Translations = { readonly default: Readonly<Record<string, string>> };

const TRANSLATIONS: Readonly<Record<string, () => Promise<Translations>>> = {
  ar: () => import('./languages/ar.json', { with: { type: 'json' } }),
  cs: () => import('./languages/cs.json', { with: { type: 'json' } }),
  da: () => import('./languages/da.json', { with: { type: 'json' } }),
  de: () => import('./languages/de.json', { with: { type: 'json' } }),
  es: () => import('./languages/es.json', { with: { type: 'json' } }),
  fi: () => import('./languages/fi.json', { with: { type: 'json' } }),
  fr: () => import('./languages/fr.json', { with: { type: 'json' } }),
  he: () => import('./languages/he.json', { with: { type: 'json' } }),
  it: () => import('./languages/it.json', { with: { type: 'json' } }),
  ja: () => import('./languages/ja.json', { with: { type: 'json' } }),
  ko: () => import('./languages/ko.json', { with: { type: 'json' } }),
  nb: () => import('./languages/nb.json', { with: { type: 'json' } }),
  nl: () => import('./languages/nl.json', { with: { type: 'json' } }),
  pl: () => import('./languages/pl.json', { with: { type: 'json' } }),
  pt: () => import('./languages/pt.json', { with: { type: 'json' } }),
  ru: () => import('./languages/ru.json', { with: { type: 'json' } }),
  sv: () => import('./languages/sv.json', { with: { type: 'json' } }),
  tr: () => import('./languages/tr.json', { with: { type: 'json' } }),
  uk: () => import('./languages/uk.json', { with: { type: 'json' } }),
  zh: () => import('./languages/zh.json', { with: { type: 'json' } }),
};

export const TEMPLATE_LANGUAGES: readonly string[] = ['en', ...Object.keys(TRANSLATIONS)];

type TemplateSurvey = Template['survey'];

const labeled = <Each extends SurveyReason>(list: Each[], translate: (text: string) => string): Each[] =>
  list.map((each) => ({ ...each, label: translate(each.label) }));

function translated(survey: TemplateSurvey, translate: (text: string) => string): TemplateSurvey {
  const { followUpQuestion, followUps, reasons, choices, questions, thanks } = survey;
  return {
    ...survey,
    question: translate(survey.question),
    ...(followUpQuestion && { followUpQuestion: translate(followUpQuestion) }),
    ...(followUps && {
      followUps: followUps.map((each) => ({ ...each, question: translate(each.question) })),
    }),
    ...(reasons && { reasons: labeled(reasons, translate) }),
    ...(choices && { choices: labeled(choices, translate) }),
    ...(questions && {
      questions: questions.map(({ endLabels, ...each }) => ({
        ...each,
        text: translate(each.text),
        ...(each.choices && { choices: labeled(each.choices, translate) }),
        ...(endLabels && { endLabels: { low: translate(endLabels.low), high: translate(endLabels.high) } }),
      })),
    }),
    ...(thanks && !Array.isArray(thanks) && { thanks: { ...thanks, text: translate(thanks.text) } }),
  };
}

const byCode = (list: readonly SurveyReason[]): Record<string, string> =>
  Object.fromEntries(list.map(({ code, label }) => [code, label]));

function textsOf({ question, questions, ...survey }: TemplateSurvey): SurveyTexts {
  const { followUpQuestion, followUps, reasons, choices, thanks } = survey;
  const asked = questions?.map(({ id, text, choices, endLabels }) => [
    id,
    { text, ...(choices && { choices: byCode(choices) }), ...(endLabels && { endLabels }) },
  ]);
  return {
    question,
    ...(followUpQuestion && { followUpQuestion }),
    ...(followUps && { followUps }),
    ...(reasons && { reasons: byCode(reasons) }),
    ...(choices && { choices: byCode(choices) }),
    ...(asked && { questions: Object.fromEntries(asked) }),
    ...(thanks && { thanks }),
  };
}

/**
 * @param languages of `TEMPLATE_LANGUAGES`; the survey's own texts are in the first
 * @returns a draft
 */
export async function surveyFromTemplate(
  name: TemplateName,
  languages: readonly string[] = ['en'],
): Promise<WrittenSurvey> {
  const { survey }: Template = TEMPLATES[name];
  const versions = await Promise.all(
    languages.map(async (language) => {
      const { default: texts = {} } = (await TRANSLATIONS[language]?.()) ?? {};
      return [language, translated(survey, (text) => texts[text] ?? text)] as const;
    }),
  );
  const [[, own] = ['en', survey], ...others] = versions;
  const locales = Object.fromEntries(others.map(([language, each]) => [language, textsOf(each)]));
  return { ...own, status: 'draft', ...(others.length > 0 && { locales }) };
}
