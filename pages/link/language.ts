import { translateTexts } from '../../shared/domain/surveys/by-rating.ts';
import { translateQuestions } from '../../shared/domain/surveys/questions.ts';
import type { SurveyContent, SurveyReason } from '../../shared/domain/surveys/survey.ts';
import { bestMatch, localeOf } from '../../shared/words/best-match.ts';
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
import { LINK_PAGE_STRINGS, type LinkPageStrings } from '../../shared/words/link-page-strings.ts';
import { STRINGS, type Strings } from '../../shared/words/strings.ts';

/** The words for thumbs are in another file. */
const en: Strings = { ...STRINGS, thumbs: ['Not helpful', 'Helpful'] };

type Spoken = keyof typeof LINK_PAGE_STRINGS;
const WIDGET_STRINGS: Readonly<Record<Spoken, Strings>> = {
  en,
  ar,
  cs,
  da,
  de,
  es,
  fi,
  fr,
  he,
  it,
  ja,
  ko,
  nb,
  nl,
  pl,
  pt,
  ru,
  sv,
  tr,
  uk,
  zh,
};
const SPOKEN = Object.keys(WIDGET_STRINGS);
const isSpoken = (name: string): name is Spoken => name in WIDGET_STRINGS;

/** ISO 15924 codes of scripts. */
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['Adlm', 'Arab', 'Hebr', 'Nkoo', 'Syrc', 'Thaa']);

export interface PageLanguage {
  readonly tag: string;
  readonly direction: 'ltr' | 'rtl';
  readonly spoken: string;
  readonly strings: Strings;
  readonly linkPage: LinkPageStrings;
}

function languageFor(tag: string): PageLanguage {
  const known = bestMatch(SPOKEN, tag) ?? '';
  const spoken = isSpoken(known) ? known : 'en';
  const direction = RIGHT_TO_LEFT.has(localeOf(tag)?.script ?? '') ? 'rtl' : 'ltr';
  return {
    tag,
    direction,
    spoken,
    strings: WIDGET_STRINGS[spoken],
    linkPage: LINK_PAGE_STRINGS[spoken],
  };
}

function spokenOf(tags: readonly string[]): PageLanguage[] {
  return tags.flatMap((tag) => bestMatch(SPOKEN, tag) ?? []).map(languageFor);
}

export const plainLanguage = (tags: readonly string[]): PageLanguage =>
  spokenOf(tags)[0] ?? languageFor('en');

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
 * Guesses the language of a survey's texts, which a survey does not declare. It is the first requested language in the
 * script of the question, or the likeliest language of that script. Cyrillic has no likeliest language.
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
  readonly language: PageLanguage;
  /** Language of the survey's texts. */
  readonly asked: PageLanguage;
}

/**
 * Returns the survey's texts in the first requested language that it has. A survey without any of these languages keeps its
 * own texts, and the words around them are in the first requested language.
 */
export function localise(content: SurveyContent, tags: readonly string[]): LocalisedContent {
  const { locales = {}, words } = content;
  for (const tag of tags) {
    const name = bestMatch(Object.keys(locales), tag);
    const texts = name === undefined ? undefined : locales[name];
    if (name === undefined || texts === undefined) continue;
    const {
      reasons: ofReasons = {},
      choices: ofChoices = {},
      questions: ofQuestions,
      question = content.question,
      ...others
    } = texts;
    const labeled = <Each extends SurveyReason>(list: Each[] | undefined, labels: Record<string, string>) =>
      list?.map((each) => ({ ...each, label: labels[each.code] ?? each.label }));
    const localised = {
      ...content,
      ...others,
      ...translateTexts(content, texts),
      question,
      reasons: labeled(content.reasons, ofReasons),
      choices: labeled(content.choices, ofChoices),
      questions: translateQuestions(content.questions, ofQuestions),
      words: { ...words, ...texts.words },
    };
    const language = languageFor(name);
    return { content: localised, language, asked: language };
  }
  return { content, language: plainLanguage(tags), asked: languageOf(content.question, tags) };
}
