import type { Strings } from '../../../shared/words/strings.ts';
import type { Appearance, ClientOptions } from '../client/options.ts';
import type { LocalisedSurvey, SurveyWords } from '../client/survey.ts';
import css from './box.css';
import { element } from './element.ts';
import { languageOf } from './page-language.ts';

/** A shadow root isolates it from page styles. */
export interface Box<Words> {
  readonly host: HTMLElement;
  readonly panel: HTMLElement;
  readonly voice: HTMLElement;
  /** The survey's words come first, then the page's. */
  readonly words: Words & Partial<Strings> & SurveyWords;
}

/**
 * @param english used for English, and if a language cannot be loaded
 * @param further rules; undefined if they cannot be loaded
 */
export async function createBox<Words extends Partial<Strings>>(
  survey: Pick<LocalisedSurvey, 'language' | 'words'>,
  { locale, strings, theme = 'auto' }: ClientOptions & Appearance,
  english: Words,
  ...further: (string | undefined)[]
): Promise<Box<Words>> {
  const language = languageOf(locale);
  // A few English words are better than none.
  const spoken = /^en\b/i.test(language)
    ? undefined
    : await import('./languages.ts').then(({ wordsIn }) => wordsIn(language)).catch(() => undefined);
  const voice = element('p', { role: 'status', className: 'unseen' });
  const panel = element('section', { lang: survey.language ?? language }, voice);
  if (theme !== 'auto') panel.style.colorScheme = theme;
  if (spoken) panel.dir = spoken.direction;
  // Typing must not trigger page shortcuts.
  panel.onkeyup = panel.onkeypress = panel.onkeydown = (event) => event.stopPropagation();
  const host = document.createElement('canvass-survey');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css + further.join(''));
  root.adoptedStyleSheets = [sheet];
  root.append(panel);
  return { host, panel, voice, words: { ...english, ...spoken?.words, ...strings, ...survey.words } };
}
