import { localeOf } from '../../../shared/words/best-match.ts';
import type { Strings } from '../../../shared/words/strings.ts';

type Language = () => Promise<{ readonly words: Strings }>;

/** By BCP 47 tag. The widget includes English. */
const LANGUAGES: Readonly<Record<string, Language>> = {
  ar: () => import('../../../shared/words/languages/ar.ts'),
  cs: () => import('../../../shared/words/languages/cs.ts'),
  da: () => import('../../../shared/words/languages/da.ts'),
  de: () => import('../../../shared/words/languages/de.ts'),
  es: () => import('../../../shared/words/languages/es.ts'),
  fi: () => import('../../../shared/words/languages/fi.ts'),
  fr: () => import('../../../shared/words/languages/fr.ts'),
  he: () => import('../../../shared/words/languages/he.ts'),
  it: () => import('../../../shared/words/languages/it.ts'),
  ja: () => import('../../../shared/words/languages/ja.ts'),
  ko: () => import('../../../shared/words/languages/ko.ts'),
  nb: () => import('../../../shared/words/languages/nb.ts'),
  nl: () => import('../../../shared/words/languages/nl.ts'),
  pl: () => import('../../../shared/words/languages/pl.ts'),
  pt: () => import('../../../shared/words/languages/pt.ts'),
  ru: () => import('../../../shared/words/languages/ru.ts'),
  sv: () => import('../../../shared/words/languages/sv.ts'),
  tr: () => import('../../../shared/words/languages/tr.ts'),
  uk: () => import('../../../shared/words/languages/uk.ts'),
  zh: () => import('../../../shared/words/languages/zh.ts'),
};
export interface LanguageWords {
  readonly words: Strings;
  readonly direction: 'ltr' | 'rtl';
}

export async function wordsIn(tag: string): Promise<LanguageWords | undefined> {
  const { language: name = '', script } = localeOf(tag) ?? {};
  // `zh` is Simplified Chinese.
  const language = script === 'Hant' ? undefined : await LANGUAGES[name]?.();
  return language && { ...language, direction: /ar|he/.test(name) ? 'rtl' : 'ltr' };
}
