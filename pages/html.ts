/** HTML as text that is escaped unless it was made here, and a page of it. */

class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type { Html };

type Part = Html | string | number | readonly Html[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** What XML and HTML have no place for: control characters but tab and line ends, and halves of characters. */
const UNPRINTABLE = /[^\P{Cc}\t\n\r]|\p{Cs}/gu;

const escapeText = (text: string): string =>
  text.replace(UNPRINTABLE, '\ufffd').replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  return Array.isArray(part) ? part.map(textOf).join('') : escapeText(String(part));
}

/** Fills a template: texts are escaped, also within quoted attributes; HTML goes in as it is. */
export function html(template: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(String.raw({ raw: template }, ...parts.map(textOf)));
}

/** Text that is HTML, or CSS, already: of this program alone, never of what somebody wrote. */
export const trusted = (text: string): Html => new Html(text);

/** A page as a function serves it. */
export interface Page {
  readonly raw: string;
  readonly headers: Readonly<Record<string, string>>;
}
