/** A list of people or comments that grows page by page. */

import { type Html, html } from '../../html.ts';
import { Refused } from './ask.ts';
import { find, list } from './dom.ts';

/** People and comments of a first page, of which the style shows five until more are asked for, and of further ones. */
const [FIRST, MORE] = [10, 50] as const;
const SHOWN = 5;
/** Characters of an item of four printed lines at most. */
const BRIEF = 140;
const MOST_PAGES = 5;

/** A list that grows page by page; a late page of an earlier question is not shown. */
export class PagedList {
  readonly #section: HTMLElement;
  readonly #items: HTMLElement;
  readonly #more: HTMLButtonElement;
  readonly #about: HTMLElement;
  #asked = 0;
  #cursor: string | undefined;

  constructor(name: 'comment' | 'contact', more: string) {
    this.#section = find(`${name}s`, HTMLElement);
    this.#items = find(`${name}-list`, HTMLElement);
    this.#more = find(more, HTMLButtonElement);
    this.#about = find(`${name}s-about`, HTMLElement);
  }

  get count(): number {
    return this.#items.childElementCount;
  }

  /** Whether the service has more than were read. */
  get hasMore(): boolean {
    return this.#cursor !== undefined;
  }

  /** Whether it has surely room on a page, so that it may begin on the one before. */
  #isBrief(): boolean {
    const lengths = [...this.#items.children].map(({ textContent }) => textContent.length);
    return lengths.length <= FIRST && lengths.every((length) => length <= BRIEF);
  }

  hide(): void {
    this.#asked += 1;
    this.#section.hidden = true;
    this.clear();
  }

  clear(): void {
    this.#items.replaceChildren();
    this.#more.hidden = true;
  }

  tell(words: string): void {
    this.#about.textContent = words;
  }

  /**
   * A first page is short; with a filter the service may find few on a page of its own, and is asked on.
   * @param read the items of a page of at most so many, and where the next one begins
   */
  async fill(
    isMore: boolean,
    read: (
      limit: number,
      cursor: string | undefined,
    ) => Promise<{ readonly items: readonly Html[]; readonly nextCursor?: string | undefined }>,
    nothing: string,
  ): Promise<void> {
    this.#asked += 1;
    const mine = this.#asked;
    const wanted = isMore ? MORE : FIRST;
    if (isMore) this.#items.classList.remove('first');
    if (isMore && !this.hasMore) {
      this.#more.hidden = true;
      return;
    }
    try {
      const items: Html[] = [];
      let nextCursor = isMore ? this.#cursor : undefined;
      for (let page = 0; page < MOST_PAGES && items.length < wanted; page += 1) {
        const next = await read(wanted - items.length, nextCursor);
        if (mine !== this.#asked) return;
        items.push(...next.items);
        nextCursor = next.nextCursor;
        if (nextCursor === undefined) break;
      }
      list(this.#items, html`${items}`, isMore);
      this.#cursor = nextCursor;
      this.#items.classList.toggle('first', !isMore);
      this.#items.classList.toggle('brief', this.#isBrief());
      this.#items.toggleAttribute('data-more', this.hasMore);
      this.#more.hidden = !this.hasMore && (isMore || this.count <= SHOWN);
      this.#section.hidden = false;
      this.tell(this.count === 0 && !this.hasMore ? nothing : '');
    } catch (error) {
      if (mine !== this.#asked) return;
      if (!isMore) this.clear();
      // The key shows numbers alone.
      if (error instanceof Refused && error.status === 401) this.#section.hidden = true;
      else this.tell(error instanceof Error ? error.message : String(error));
    }
  }
}
