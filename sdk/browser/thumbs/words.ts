import type { Strings } from '../../../shared/words/strings.ts';
import type { ClientOptions } from '../options.ts';
import { type LocalisedSurvey, languageOf } from '../texts.ts';
import type { Appearance } from '../widget-options.ts';

/** The words that thumbs need. */
export type ThumbsWords = Required<
  Pick<Strings, 'region' | 'close' | 'send' | 'thanks' | 'badge' | 'thumbs'>
>;

export const ENGLISH: ThumbsWords = {
  region: 'Feedback',
  close: 'Close',
  send: 'Send',
  thanks: 'Thank you!',
  badge: 'Powered by Canvass',
  thumbs: ['Not helpful', 'Helpful'],
};

export interface Spoken {
  readonly words: ThumbsWords;
  /** Makes an element speak the page's language and wear its colours. */
  readonly dress: (panel: HTMLElement) => void;
}

/** The survey's own words come before those of the page, and these before those of the language. */
export async function wordsFor(
  survey: LocalisedSurvey,
  { locale, strings, theme }: ClientOptions & Appearance,
): Promise<Spoken> {
  const language = languageOf(locale);
  // A few English words are better than no thumbs.
  const spoken = /^en\b/i.test(language)
    ? undefined
    : await import('../languages.ts').then(({ wordsIn }) => wordsIn(language)).catch(() => undefined);
  const words = { ...ENGLISH, ...spoken?.words, ...strings, ...survey.words };
  const { values = words.thumbs } = survey.words ?? {};
  const { low = values[0] ?? '', high = values[1] ?? '' } = survey.endLabels ?? {};
  return {
    words: { ...words, thumbs: [low, high] },
    dress(panel) {
      // Else these are the page's.
      if (theme !== 'auto') panel.style.colorScheme = theme ?? '';
      if (spoken) panel.dir = spoken.direction;
      panel.lang = survey.language ?? language;
    },
  };
}
