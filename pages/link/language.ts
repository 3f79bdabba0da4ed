/** In which language a page of a link is: that of the survey's texts, and of the words around them. */

import type { SurveyContent } from '../../shared/domain/surveys/survey.ts';
import { bestMatch } from '../../shared/words/best-match.ts';
import { words as ar } from '../../shared/words/languages/ar.ts';
import { words as cs } from '../../shared/words/languages/cs.ts';
import { words as da } from '../../shared/words/languages/da.ts';
import { words as de } from '../../shared/words/languages/de.ts';
import { words as es } from '../../shared/words/languages/es.ts';
import { words as fi } from '../../shared/words/languages/fi.ts';
import { words as fr } from '../../shared/words/languages/fr.ts';
import { words as he } from '../../shared/words/languages/he.ts';
import { words as it } from '../../shared/words/languages/it.ts';
import { words as ja } from '../../shared/words/languages/ja.ts';
import { words as ko } from '../../shared/words/languages/ko.ts';
import { words as nb } from '../../shared/words/languages/nb.ts';
import { words as nl } from '../../shared/words/languages/nl.ts';
import { words as pl } from '../../shared/words/languages/pl.ts';
import { words as pt } from '../../shared/words/languages/pt.ts';
import { words as ru } from '../../shared/words/languages/ru.ts';
import { words as sv } from '../../shared/words/languages/sv.ts';
import { words as tr } from '../../shared/words/languages/tr.ts';
import { words as uk } from '../../shared/words/languages/uk.ts';
import { words as zh } from '../../shared/words/languages/zh.ts';
import { STRINGS, type Strings } from '../../shared/words/strings.ts';

/** The widget has these with its thumbs. */
const en: Strings = { ...STRINGS, thumbs: ['Not helpful', 'Helpful'] };
const SPOKEN: ReadonlyMap<string, Strings> = new Map(
  Object.entries({ en, ar, cs, da, de, es, fi, fr, he, it, ja, ko, nb, nl, pl, pt, ru, sv, tr, uk, zh }),
);
const NORWEGIAN: ReadonlySet<string> = new Set(['nn', 'no']);
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'he', 'fa', 'ur']);
export interface PageLanguage {
  /** For `lang`. */
  readonly tag: string;
  readonly direction: 'ltr' | 'rtl';
  /** One of the widget's. */
  readonly spoken: string;
  readonly strings: Strings;
}

function languageFor(tag: string): PageLanguage {
  const [primary = ''] = tag.toLowerCase().split('-');
  const known = NORWEGIAN.has(primary) ? 'nb' : bestMatch([...SPOKEN.keys()], tag);
  const spoken = known ?? 'en';
  const direction = RIGHT_TO_LEFT.has(primary) ? 'rtl' : 'ltr';
  return { tag, direction, spoken, strings: SPOKEN.get(spoken) ?? en };
}

/** Wanted languages that the widget speaks. */
function spokenOf(tags: readonly string[]): PageLanguage[] {
  const known = tags.filter((tag) => languageFor(tag).spoken !== 'en' || /^en\b/i.test(tag));
  return known.map((tag) => languageFor(bestMatch([...SPOKEN.keys()], tag) ?? tag));
}

/** Of a page without a survey: the first wanted language that the widget speaks. */
export const plainLanguage = (tags: readonly string[]): PageLanguage =>
  spokenOf(tags)[0] ?? languageFor('en');

/** Of those languages that are not written in Latin letters. */
const LETTERS: Readonly<Record<string, RegExp>> = {
  ar: /\p{sc=Arab}/u,
  he: /\p{sc=Hebr}/u,
  ja: /[\p{sc=Hira}\p{sc=Kana}\p{sc=Han}]/u,
  ko: /\p{sc=Hang}/u,
  ru: /\p{sc=Cyrl}/u,
  uk: /\p{sc=Cyrl}/u,
  zh: /\p{sc=Han}/u,
};
const LATIN = /\p{sc=Latn}/u;
const KANA = /[\p{sc=Hira}\p{sc=Kana}]/u;

/**
 * In what a survey's own texts are, which it does not say: the first wanted language that shares letters with its
 * question, else the likeliest one with such letters. Cyrillic and what the widget does not write have none.
 */
function languageOf(question: string, tags: readonly string[]): PageLanguage {
  const likely = ['en', 'ar', 'he', 'ko', KANA.test(question) ? 'ja' : 'zh'];
  const language = [...spokenOf(tags), ...likely.map(languageFor)].find(({ spoken }) =>
    (LETTERS[spoken] ?? LATIN).test(question),
  );
  return language ?? plainLanguage(tags);
}

export interface LocalisedContent {
  readonly content: SurveyContent;
  /** Of the page. */
  readonly language: PageLanguage;
  /** Of the survey's texts, and so of the meanings of its values. */
  readonly asked: PageLanguage;
}

/**
 * The survey's texts in the first wanted language that it has. One that has no texts in any of them keeps its own, with
 * the words around them in the language that is wanted most.
 */
export function localise(content: SurveyContent, tags: readonly string[]): LocalisedContent {
  const { locales = {}, words } = content;
  for (const tag of tags) {
    const name = bestMatch(Object.keys(locales), tag);
    const texts = name === undefined ? undefined : locales[name];
    if (name === undefined || texts === undefined) continue;
    const { reasons: labels = {}, ...others } = texts;
    const { question = content.question, followUpQuestion = content.followUpQuestion } = others;
    const reasons = content.reasons?.map(({ code, label }) => ({ code, label: labels[code] ?? label }));
    const localised = {
      ...content,
      ...others,
      question,
      followUpQuestion,
      reasons,
      words: { ...words, ...texts.words },
    };
    const language = languageFor(name);
    return { content: localised, language, asked: language };
  }
  return { content, language: plainLanguage(tags), asked: languageOf(content.question, tags) };
}
