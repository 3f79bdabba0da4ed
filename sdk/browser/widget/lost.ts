/** Tells a person that the service refused the answer. Loaded on demand. */

import { bestMatch } from '../../../shared/words/best-match.ts';
import { LINK_PAGE_STRINGS } from '../../../shared/words/link-page-strings.ts';
import type { TellBelow } from '../client/modules.ts';
import type { ClientOptions } from '../client/options.ts';
import { element } from './element.ts';
import style from './lost.css';
import { languageOf } from './page-language.ts';

const SENTENCES: Readonly<Record<string, { readonly failed: string } | undefined>> = LINK_PAGE_STRINGS;

export interface Lost {
  readonly sentence: string;
  readonly style: string;
  /** The text of the answer, which the person can copy. */
  readonly words: readonly HTMLElement[];
}

export function sentenceIn(locale: string | undefined): string {
  const language = languageOf(locale).replace(/^(nn|no)\b/i, 'nb');
  return (SENTENCES[bestMatch(Object.keys(SENTENCES), language) ?? ''] ?? LINK_PAGE_STRINGS.en).failed;
}

export function createLost({ locale }: ClientOptions, text: unknown): Lost {
  const failed = sentenceIn(locale);
  const words = element('textarea', {
    className: 'words',
    value: `${text}`,
    readOnly: true,
    rows: 3,
    dir: 'auto',
    ariaLabel: failed,
  });
  return { sentence: failed, style, words: text ? [words] : [] };
}

/** For thumbs under a message. */
export const tellBelow =
  ({ sentence, style, words }: Lost): TellBelow =>
  ({ host, panel, say }) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    host.shadowRoot?.adoptedStyleSheets.push(sheet);
    panel.querySelector('.words')?.remove();
    panel.append(...words);
    say(sentence, 'said');
  };
