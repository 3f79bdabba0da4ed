import { describe, expect, it } from 'vitest';
import { surveyFile } from '../../../../../shared/contract/survey-file.ts';
import { TEMPLATES, type TemplateName } from '../../../../../shared/domain/surveys/templates/templates.ts';
import {
  surveyFromTemplate,
  TEMPLATE_LANGUAGES,
} from '../../../../../shared/domain/surveys/templates/translated-template.ts';

const NAMES = Object.keys(TEMPLATES).filter((name): name is TemplateName => name in TEMPLATES);
const problemsOf = (surveys: readonly unknown[]) => {
  const { error } = surveyFile.safeParse({ surveys });
  return error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
};
/** The texts that people read, by their place. */
const textsIn = (value: unknown, name = ''): string[] => {
  if (typeof value === 'string')
    return /^(question|followUpQuestion|text|label|low|high)$/.test(name) ? [value] : [];
  return Object.entries(value ?? {}).flatMap(([key, each]) =>
    textsIn(each, Array.isArray(value) ? name : key),
  );
};

describe('templates', () => {
  it('are surveys of one file in each language', async () => {
    for (const language of TEMPLATE_LANGUAGES) {
      const surveys = await Promise.all(NAMES.map((name) => surveyFromTemplate(name, [language])));
      expect(problemsOf(surveys), language).toBeUndefined();
    }
  });

  it('have translations in several languages at once, by code and id', async () => {
    const survey = await surveyFromTemplate('beta', ['de', 'en', 'ja']);
    expect(problemsOf([survey])).toBeUndefined();
    expect(survey.question).toMatch(/^Wie /);
    expect(survey.locales).toMatchObject({
      en: {
        question: 'How satisfied are you with the new feature?',
        questions: { keep: { choices: { drop: 'No' } } },
      },
      ja: { questions: { effort: { endLabels: { low: expect.stringMatching(/\p{Script=Han}/u) } } } },
    });
  });

  it.each(TEMPLATE_LANGUAGES.filter((language) => language !== 'en'))(
    'have every text in %s',
    async (language) => {
      for (const name of NAMES) {
        const [own, other] = [await surveyFromTemplate(name), await surveyFromTemplate(name, [language])];
        const same = textsIn(own).filter((text, at) => text === textsIn(other)[at]);
        expect(
          same.filter((text) => text.includes(' ')),
          name,
        ).toEqual([]);
      }
    },
  );
});
