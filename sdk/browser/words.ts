import type { LanguageWords } from './languages.ts';

/** What the widget knows of a language; undefined for English, for one it does not speak, and where it cannot be fetched. */
export async function fetchWords(language: string): Promise<LanguageWords | undefined> {
  if (/^en\b/i.test(language)) return undefined;
  const languages = import('./languages.ts');
  // A survey with a few English words is better than none.
  return languages.then(({ wordsIn }) => wordsIn(language)).catch(() => undefined);
}
