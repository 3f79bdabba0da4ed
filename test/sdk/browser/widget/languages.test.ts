import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENGLISH } from '../../../../sdk/browser/thumbs/control.ts';
import { wordsIn } from '../../../../sdk/browser/widget/languages.ts';
import { localise } from '../../../../sdk/browser/widget/locales.ts';
import { textsFor, translateTexts } from '../../../../shared/domain/surveys/by-rating.ts';
import { orderedFor } from '../../../../shared/domain/surveys/sticky-hash.ts';
import { STRINGS } from '../../../../shared/words/strings.ts';
import { aSurvey } from '../support/a-survey.ts';

const FOLDER = new URL('../../../../shared/words/languages/', import.meta.url);
const LANGUAGES = readdirSync(FOLDER).map((file) => basename(file, '.ts'));

describe('the languages of the widget', () => {
  it('are twenty besides English', () => {
    expect(LANGUAGES).toHaveLength(20);
  });

  it.each(LANGUAGES)('have every word in %s, and the right number for each scale', async (language) => {
    const found = await wordsIn(language);
    const { words } = found ?? {};
    const shape = (strings: object) =>
      Object.fromEntries(
        Object.entries(strings).map(([name, value]) => [name, Array.isArray(value) ? value.length : 1]),
      );
    expect(shape(words ?? {})).toEqual(shape({ ...STRINGS, thumbs: ENGLISH.thumbs }));
    const all = Object.values(words ?? {}).flat();
    expect(all.filter((word) => word.trim() !== word || word === '' || !word.isWellFormed())).toEqual([]);
    for (const scale of [words?.nps, words?.csat, words?.ces, words?.pmf, words?.thumbs])
      expect(new Set(scale).size).toBe(scale?.length);
    expect(found?.direction).toBe(['ar', 'he'].includes(language) ? 'rtl' : 'ltr');
  });

  it.each([
    ['DE-at', 'Senden'],
    ['no', 'Send'],
    ['nn', 'Send'],
    ['nn_NO', 'Send'],
    ...[
      'de_DE',
      'de_DE.UTF-8',
      'de-',
      'de ',
      'de-DE@euro',
      'de,en;q=0.5',
      'de-x-formal',
      'DE_at',
      'de-Latn-DE',
    ].map((tag): [string, string] => [tag, 'Senden']),
    ...['iw', 'iw_IL', 'he', 'IW-il'].map((tag): [string, string] => [tag, 'שליחה']),
    ['pt_PT', 'Enviar'],
    ...['zh', 'zh-CN', 'zh_CN', 'zh-SG', 'zh-Hans-CN', 'zh-Hans-TW', 'cmn'].map((tag): [string, string] => [
      tag,
      '提交',
    ]),
    ...['zh-TW', 'zh_TW', 'zh-HK', 'zh-MO', 'zh-Hant', 'zh-hant-tw', 'zh_Hant_TW', 'yue'].map(
      (tag): [string, undefined] => [tag, undefined],
    ),
    ...['in', 'ji', 'sr-Latn', 'x-de', 'C', 'undefined', '*', '_'].map((tag): [string, undefined] => [
      tag,
      undefined,
    ]),
    ['en', undefined],
    ['tlh', undefined],
    ['', undefined],
  ])('are found by tag: %s', async (tag, send) => {
    expect((await wordsIn(tag))?.words.send).toBe(send);
  });
});

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

  it.each<[string, string[], string | undefined]>([
    ['zh-TW', ['zh'], undefined],
    ['zh-TW', ['zh', 'zh-Hant'], 'zh-Hant'],
    ['zh-HK', ['zh-CN', 'zh-TW'], 'zh-TW'],
    ['zh-HK', ['zh-Hant', 'zh-HK'], 'zh-HK'],
    ['zh_Hant_TW', ['zh-TW'], 'zh-TW'],
    ['zh-SG', ['zh-Hant', 'zh'], 'zh'],
    ['zh', ['zh-TW', 'zh-CN'], 'zh-CN'],
    ['sr-Latn', ['sr'], undefined],
    ['sr-RS', ['sr-Latn', 'sr'], 'sr'],
    ['nn-NO', ['nb', 'nn'], 'nn'],
    ['nn', ['no'], 'no'],
    ['nb', ['nn'], 'nn'],
    ['no', ['de', 'nb'], 'nb'],
    ['he', ['iw'], 'iw'],
    ['iw', ['he'], 'he'],
    ['in_ID', ['id'], 'id'],
    ['ji', ['yi'], 'yi'],
    ['pt_BR', ['pt', 'pt-BR'], 'pt-BR'],
    ['pt', ['pt-BR', 'pt'], 'pt'],
    ['de', ['de-DE'], 'de-DE'],
    ['de-AT', ['de-1996', 'de'], 'de'],
    ['test', ['de', 'test'], 'test'],
    ['', ['de', 'test'], undefined],
    ['?', ['test'], undefined],
  ])('is found by the tags that pages have: %s in %o', (tag, names, expected) => {
    const locales = Object.fromEntries(names.map((name) => [name, {}]));
    expect(localise(aSurvey({ locales }), tag).language).toBe(expected);
  });

  it('is unchanged without locales, whatever the language', () => {
    const { locales: _, ...plain } = survey;
    fc.assert(
      fc.property(fc.string(), (language) => {
        expect(localise(plain, language)).toEqual({ ...plain, words: {} });
      }),
    );
  });

  describe('with texts by rating', () => {
    const low = [0, 1];
    const rated = aSurvey({
      followUpQuestion: 'Why?',
      followUps: [
        { ratings: low, question: 'What went wrong?' },
        { ratings: [1, 2], question: 'What could be better?' },
      ],
      thanks: [{ ratings: [10], text: 'Great' }, { text: 'Thanks' }],
      locales: {
        de: { followUps: [{ ratings: low, question: 'Was lief schief?' }], thanks: { text: 'Danke' } },
        fr: { followUpQuestion: 'Pourquoi ?', thanks: [{ ratings: [10], text: 'Super' }] },
      },
    });

    it.each([
      ['en', undefined, 'Why?', 'Thanks'],
      ['en', 0, 'What went wrong?', 'Thanks'],
      ['en', 1, 'What went wrong?', 'Thanks'],
      ['en', 2, 'What could be better?', 'Thanks'],
      ['en', 10, 'Why?', 'Great'],
      ['de', 1, 'Was lief schief?', 'Danke'],
      ['de', 2, 'What could be better?', 'Danke'],
      ['de', 10, 'Why?', 'Great'],
      ['fr', 1, 'What went wrong?', 'Thanks'],
      ['fr', 10, 'Pourquoi ?', 'Super'],
    ])('has those of the first entry with the rating: %s %s', (language, rating, question, thanks) => {
      const given = rating === undefined ? {} : { rated: rating };
      const { followUpQuestion, thanks: said } = localise(rated, language, given);
      expect([followUpQuestion, said?.text]).toEqual([question, thanks]);
      const chosen = textsFor(translateTexts(rated, rated.locales?.[language] ?? {}), rating ?? -1);
      expect([chosen.followUpQuestion, chosen.thanks?.text]).toEqual([question, thanks]);
    });

    it('has the question for a thumb down before there is a rating', () => {
      const thumbs = aSurvey({
        type: 'thumbs',
        followUps: [{ ratings: [0], question: 'What was missing?' }],
      });
      expect(localise(thumbs, 'en').followUpQuestion).toBe('What was missing?');
      expect(localise(thumbs, 'en', { rated: 1 }).followUpQuestion).toBeUndefined();
    });
  });

  describe('with choices', () => {
    const codes = ['gifts', 'home', 'tools', 'other'];
    const choices = codes.map((code, rating) => ({
      code,
      rating,
      label: `In ${code}`,
      words: code === 'other',
    }));
    const chosen = aSurvey({ type: 'choice', question: 'What for?', choices, shuffle: true });
    const person = (id: string) => ({ person: { id: () => id } });

    it('lists them with translated labels in the order of the link page, which only the person changes', () => {
      const german = { ...chosen, locales: { de: { choices: { home: 'Zuhause' } } } };
      const orderOf = (id: string) => localise(german, 'de', person(id)).choices?.map(({ code }) => code);
      expect(orderOf('ann')).toEqual(orderedFor(choices, 'ann', 'sv_1').map(({ code }) => code));
      const orders = Array.from({ length: 40 }, (_, at) => orderOf(`person-${at}`));
      expect(new Set(orders.map(String)).size).toBe(6);
      expect(new Set(orders.map((order) => order?.at(-1)))).toEqual(new Set(['other']));
      const plain = localise({ ...german, shuffle: false }, 'de', person('ann')).choices;
      expect(plain?.map(({ label }) => label)).toEqual(['In gifts', 'Zuhause', 'In tools', 'In other']);
    });

    it.each([
      ['in words, if the choice asks for them', {}, 3, 'What for?'],
      ['not for other choices', {}, 1, undefined],
      ['with the own follow-up question', { followUpQuestion: 'Why?' }, 3, 'Why?'],
      ['in the language of the page', { locales: { en: { question: 'For what?' } } }, 3, 'For what?'],
    ])('repeats its question %s', (_, fields, rated, question) => {
      expect(localise({ ...chosen, ...fields }, 'en', { rated }).followUpQuestion).toBe(question);
    });
  });

  it("has its locale's labels, or the survey’s own", () => {
    const reasons = ['slow', 'wrong'].map((code) => ({ code, label: `It was ${code}` }));
    const asking = aSurvey({ reasons, locales: { de: { reasons: { slow: 'Zu langsam' } }, fr: {} } });
    expect(localise(asking, 'de').reasons).toEqual([{ code: 'slow', label: 'Zu langsam' }, reasons[1]]);
    expect(localise(asking, 'fr').reasons).toEqual(reasons);
    expect(localise(survey, 'de').reasons).toBeUndefined();
  });

  it("has its locale's words, or the survey's own", () => {
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
