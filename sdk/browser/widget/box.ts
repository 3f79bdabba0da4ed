import type { Strings } from '../../../shared/words/strings.ts';
import type { Appearance, ClientOptions } from '../client/options.ts';
import type { LocalisedSurvey, SurveyWords } from '../client/survey.ts';
import css from './box.css';
import { element } from './element.ts';
import { languageOf } from './page-language.ts';

/** A panel in a shadow root of its own, where no style of the page reaches it; it speaks the page's language. */
export interface Box<Words> {
  /** What is put into the page. */
  readonly host: HTMLElement;
  readonly panel: HTMLElement;
  /** Stands first in the panel, unseen, and speaks to assistive technology. */
  readonly voice: HTMLElement;
  /** The survey's own come before those of the page, and these before those of the language. */
  readonly words: Words & Partial<Strings> & SurveyWords;
}

/**
 * @param english words where the page is English, or its language cannot be had
 * @param further rules; undefined where they cannot be had
 */
export async function createBox<Words extends Partial<Strings>>(
  survey: LocalisedSurvey,
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
  // Else they are the page's and the place's.
  if (theme !== 'auto') panel.style.colorScheme = theme;
  if (spoken) panel.dir = spoken.direction;
  // The page's shortcuts are not meant by what is typed in here.
  panel.onkeyup = panel.onkeypress = panel.onkeydown = (event) => event.stopPropagation();
  const host = document.createElement('canvass-survey');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css + further.join(''));
  root.adoptedStyleSheets = [sheet];
  root.append(panel);
  return { host, panel, voice, words: { ...english, ...spoken?.words, ...strings, ...survey.words } };
}
