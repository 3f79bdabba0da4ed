import { bestMatch } from './texts.ts';
import type { Strings } from './widget-options.ts';

type Language = () => Promise<{ readonly words: Strings }>;

const nb: Language = () => import('./languages/nb.ts');

/** By BCP 47 tag; English is in the widget itself. */
const LANGUAGES: Readonly<Record<string, Language>> = {
  ar: () => import('./languages/ar.ts'),
  cs: () => import('./languages/cs.ts'),
  da: () => import('./languages/da.ts'),
  de: () => import('./languages/de.ts'),
  es: () => import('./languages/es.ts'),
  fi: () => import('./languages/fi.ts'),
  fr: () => import('./languages/fr.ts'),
  he: () => import('./languages/he.ts'),
  it: () => import('./languages/it.ts'),
  ja: () => import('./languages/ja.ts'),
  ko: () => import('./languages/ko.ts'),
  nb,
  nn: nb,
  no: nb,
  nl: () => import('./languages/nl.ts'),
  pl: () => import('./languages/pl.ts'),
  pt: () => import('./languages/pt.ts'),
  ru: () => import('./languages/ru.ts'),
  sv: () => import('./languages/sv.ts'),
  tr: () => import('./languages/tr.ts'),
  uk: () => import('./languages/uk.ts'),
  zh: () => import('./languages/zh.ts'),
};
const RIGHT_TO_LEFT = ['ar', 'he'];

export interface LanguageWords {
  readonly words: Strings;
  readonly direction: 'ltr' | 'rtl';
}

/** @returns undefined where the widget does not speak the language */
export async function wordsIn(tag: string): Promise<LanguageWords | undefined> {
  const name = bestMatch(Object.keys(LANGUAGES), tag) ?? '';
  const language = await LANGUAGES[name]?.();
  return language && { words: language.words, direction: RIGHT_TO_LEFT.includes(name) ? 'rtl' : 'ltr' };
}
