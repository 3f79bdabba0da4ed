class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type { Html };

export type Part = Html | string | number | readonly Html[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Characters that XML and HTML do not allow: control characters except tab and line ends, and lone surrogates. */
const UNPRINTABLE = /[^\P{Cc}\t\n\r]|\p{Cs}/gu;

const escapeText = (text: string): string =>
  text.replace(UNPRINTABLE, '\ufffd').replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  return Array.isArray(part) ? part.map(textOf).join('') : escapeText(String(part));
}

/** Escapes texts, including those in quoted attributes. */
export function html(template: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(String.raw({ raw: template }, ...parts.map(textOf)));
}

/** Marks HTML and CSS of this program as safe. Never use it for other texts. */
export const trusted = (text: string): Html => new Html(text);

export interface Page {
  readonly raw: string;
  readonly headers: Readonly<Record<string, string>>;
}
