/** What both pages have: the SDK, who is here, what it asks of the service, and what is stored of them. */

import type { BootstrapReply } from '../../../sdk/browser/wire.ts';

export const { createCanvass }: typeof import('../../../sdk/browser/canvass.ts') = await import(
  new URL('/demo/canvass.mjs', location.href).href
);
export const key = document.documentElement.dataset.key ?? '';

export function find<T extends Element>(selector: string, type: new () => T): T {
  const found = document.querySelector(selector);
  if (found instanceof type) return found;
  throw new Error(`The page has no ${selector}.`);
}

export const person = find('[name="person"]', HTMLSelectElement);

export function element(tag: string, ...children: (Node | string)[]): HTMLElement {
  const made = document.createElement(tag);
  made.append(...children);
  return made;
}

/** A line that opens to what is behind it. */
const details = (line: string, content: unknown): HTMLElement =>
  element('details', element('summary', line), element('pre', JSON.stringify(content, null, 2)));

/** Lists rows, each a line that tells of it. */
export function list<Row>(id: string, rows: readonly Row[], tell: (row: Row) => string, none: string): void {
  const lines = rows.map((row) => details(tell(row), row));
  find(id, HTMLDivElement).replaceChildren(...(lines.length > 0 ? lines : [element('p', none)]));
}

/** Asks the demo about the person who is here. Undefined when somebody else is here by then. */
export async function ask(path: string, init?: RequestInit) {
  const respondentId = person.value;
  const told = await (await fetch(`${path}?${new URLSearchParams({ respondentId })}`, init)).json();
  return respondentId === person.value ? told : undefined;
}

/** The rating is null when it was taken back; a dismissal has none. */
interface Row {
  readonly at: string;
  readonly surveySlug: string;
  readonly rating?: number | null;
  readonly text?: string;
}

/** When, who, of which survey, what. */
export const lineOf = (at: string, who: string, slug: string, what: string): string =>
  `${new Date(at).toLocaleTimeString('en-GB')} ${who}, ${slug}: ${what}`;

export async function showStored(): Promise<void> {
  const told: { responses?: Row[]; dismissals?: Row[] } | undefined = await ask('/demo/stored');
  if (told === undefined) return;
  const rows = [...(told.responses ?? []), ...(told.dismissals ?? [])];
  const whatOf = ({ rating, text }: Row) =>
    rating === undefined ? 'dismissed' : `${rating ?? 'taken back'}${text ? `, “${text}”` : ''}`;
  const tell = (row: Row) => lineOf(row.at, person.value, row.surveySlug, whatOf(row));
  list('#stored', rows, tell, `Nothing of ${person.value} yet.`);
}

export interface Exchange {
  readonly path: string;
  readonly sent: { readonly userId?: string };
  readonly reply: Partial<BootstrapReply>;
}

/** Watches what the SDK asks of the service. @param watched may return another reply for the SDK */
export function watchFetch(watched: (exchange: Exchange) => unknown): void {
  const original = window.fetch;
  window.fetch = async (input, init) => {
    const path = new URL(String(input), location.href).pathname;
    if (!path.startsWith('/v1/')) return original(input, init);
    const sent = JSON.parse(String(init?.body ?? '{}'));
    const response = await original(input, init);
    const other = watched({ path, sent, reply: await response.clone().json() });
    return other ? new Response(JSON.stringify(other), response) : response;
  };
}
