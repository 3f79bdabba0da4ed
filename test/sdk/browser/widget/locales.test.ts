import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localise } from '../../../../sdk/browser/widget/locales.ts';
import { aSurvey } from '../support/a-survey.ts';

const survey = aSurvey({
  question: 'Question?',
  followUpQuestion: 'Why?',
  locales: {
    de: { question: 'Frage?', followUpQuestion: 'Warum?' },
    'pt-BR': { question: 'Pergunta (BR)?' },
    pt: { question: 'Pergunta?' },
  },
});

describe('a survey in a language', () => {
  it.each([
    ['de', 'Frage?', 'Warum?', 'de'],
    ['de-AT', 'Frage?', 'Warum?', 'de'],
    ['DE-ch-1996', 'Frage?', 'Warum?', 'de'],
    ['pt-br', 'Pergunta (BR)?', 'Why?', 'pt-BR'],
    ['pt-PT', 'Pergunta?', 'Why?', 'pt'],
    ['fr', 'Question?', 'Why?', undefined],
    ['d', 'Question?', 'Why?', undefined],
    ['', 'Question?', 'Why?', undefined],
  ])('%s', (language, question, followUpQuestion, found) => {
    const texts = localise(survey, language);
    expect([texts.question, texts.followUpQuestion, texts.language]).toEqual([
      question,
      followUpQuestion,
      found,
    ]);
  });

  it('is the survey itself where it has no locales, whatever the language is called', () => {
    const { locales: _, ...plain } = survey;
    fc.assert(fc.property(fc.string(), (language) => localise(plain, language) === plain));
  });

  it('has the labels of its locale, and the survey’s own where that has none', () => {
    const reasons = ['slow', 'wrong'].map((code) => ({ code, label: `It was ${code}` }));
    const asking = aSurvey({ reasons, locales: { de: { reasons: { slow: 'Zu langsam' } }, fr: {} } });
    expect(localise(asking, 'de').reasons).toEqual([{ code: 'slow', label: 'Zu langsam' }, reasons[1]]);
    expect(localise(asking, 'fr').reasons).toEqual(reasons);
    expect(localise(survey, 'de').reasons).toBeUndefined();
  });

  it('has each word of its locale, and the words of the survey where that has none', () => {
    const worded = aSurvey({
      words: { send: 'Submit', close: 'Not now' },
      thanks: { text: 'Thanks a lot' },
      locales: {
        de: { words: { send: 'Absenden' }, thanks: { text: 'Danke' } },
        fr: { question: 'Question ?' },
      },
    });
    expect(localise(worded, 'de')).toMatchObject({
      words: { send: 'Absenden', close: 'Not now' },
      thanks: { text: 'Danke' },
    });
    expect(localise(worded, 'fr')).toMatchObject({
      words: { send: 'Submit', close: 'Not now' },
      thanks: { text: 'Thanks a lot' },
    });
  });
});
