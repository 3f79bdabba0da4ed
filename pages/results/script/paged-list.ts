import type { ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { type Html, html } from '../../html.ts';
import { counted, formatCount } from '../figures.ts';
import { type Part, partsOf } from '../result-words.ts';
import type { View } from '../view.ts';
import { type Asker, type Query, Refused } from './ask.ts';
import { type Asked, reasonsOffered, type Survey } from './controls.ts';
import { find, list, show } from './dom.ts';

/** The number of items on the first page and on further pages. Style sheets hide part of the first page. */
const [FIRST, MORE] = [30, 50] as const;
const SHOWN = { comment: 8, contact: 5 } as const;
const MOST_PAGES = 5;
const PRINTED = 10;

/** A list of people or comments that grows page by page. Late replies to an earlier query are dropped. */
export class PagedList {
  readonly #shown: number;
  readonly #section: HTMLElement;
  readonly #items: HTMLElement;
  readonly #more: HTMLButtonElement;
  readonly #about: HTMLElement;
  readonly #printed: HTMLElement;
  /** The search text, in lower case. */
  #sought = '';
  #asked = 0;
  /** The query whose first page is loading. */
  #awaited = -1;
  #cursor: string | undefined;

  constructor(name: 'comment' | 'contact', more: string) {
    this.#shown = SHOWN[name];
    this.#section = find(`${name}s`, HTMLElement);
    this.#items = find(`${name}-list`, HTMLElement);
    this.#more = find(more, HTMLButtonElement);
    this.#about = find(`${name}s-about`, HTMLElement);
    this.#printed = find(`${name}s-printed`, HTMLElement);
  }

  get count(): number {
    return this.#items.childElementCount;
  }

  get hasMore(): boolean {
    return this.#cursor !== undefined;
  }

  /**
   * Marks items that are not printed, and shows how many are printed.
   * @param of the total, or null if it is unknown
   * @param kinds names of the filters
   * @param first the text for the order of the list
   */
  print(of: number | null, kinds: readonly (string | undefined)[], first: 'newest' | 'lowest'): void {
    const items = [...this.#items.querySelectorAll(':scope > :not([hidden])')];
    const count = Math.min(items.length, PRINTED);
    for (const [place, item] of items.entries()) item.classList.toggle('unprinted', place >= count);
    const isAll = count === this.count && !this.hasMore;
    const all = of === null || of < this.count ? '' : ` of ${formatCount(of)}`;
    const some = isAll ? undefined : `(printed: the ${first} ${formatCount(count)}${all})`;
    this.#printed.textContent = [...kinds, some].filter((words) => words !== undefined).join(' · ');
  }

  /** Searches the loaded items. */
  find(words: string): void {
    this.#sought = words.trim().toLowerCase();
    let found = 0;
    for (const item of this.#items.children) {
      const has = item.textContent.toLowerCase().includes(this.#sought);
      item.toggleAttribute('hidden', !has);
      if (has) found += 1;
    }
    if (this.#sought !== '') this.#items.classList.remove('first');
    this.tell(
      this.#sought === ''
        ? ''
        : `Found in ${formatCount(found)} of ${counted(this.count, 'loaded comment')}.`,
    );
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
   * Does not load more while a first page is loading. Continues after short pages, which filters cause.
   * @returns false if another query replaced this one
   * @param read reads a page of at most `limit` items
   */
  async fill(
    isMore: boolean,
    read: (
      limit: number,
      cursor: string | undefined,
    ) => Promise<{ readonly items: readonly Html[]; readonly nextCursor?: string | undefined }>,
    nothing: string,
  ): Promise<boolean> {
    if (isMore && this.#awaited === this.#asked) return false;
    if (isMore) this.#items.classList.remove('first');
    if (isMore && !this.hasMore) {
      this.#more.hidden = true;
      return true;
    }
    this.#asked += 1;
    const mine = this.#asked;
    const wanted = isMore ? MORE : FIRST;
    if (!isMore) this.#awaited = mine;
    try {
      const items: Html[] = [];
      let nextCursor = isMore ? this.#cursor : undefined;
      for (let page = 0; page < MOST_PAGES && items.length < wanted; page += 1) {
        const next = await read(wanted - items.length, nextCursor);
        if (mine !== this.#asked) return false;
        items.push(...next.items);
        nextCursor = next.nextCursor;
        if (nextCursor === undefined) break;
      }
      list(this.#items, html`${items}`, isMore);
      this.#cursor = nextCursor;
      this.#items.classList.toggle('first', !isMore);
      this.#more.hidden = !this.hasMore && (isMore || this.count <= this.#shown);
      this.#section.hidden = false;
      this.tell(this.count === 0 && !this.hasMore ? nothing : '');
      if (this.#sought !== '') this.find(this.#sought);
    } catch (error) {
      if (mine !== this.#asked) return false;
      if (!isMore) this.clear();
      // The key does not give access to people.
      if (error instanceof Refused && error.status === 401) this.#section.hidden = true;
      else this.tell(error instanceof Error ? error.message : String(error));
    }
    this.#awaited = -1;
    return true;
  }
}

const [ratings, reason] = [find('ratings', HTMLSelectElement), find('reason', HTMLSelectElement)];
const [states, contactsOf] = [find('state', HTMLSelectElement), find('contacts-of', HTMLSelectElement)];
const [when, order] = [find('when', HTMLSelectElement), find('sort', HTMLSelectElement)];

export interface Looked {
  readonly asker: Asker;
  /** Whether the person may mark contacts as handled. */
  readonly mayHandle: boolean;
  readonly results: ResultsReply;
  readonly of: Survey | undefined;
  readonly surveys: readonly Survey[];
  readonly asked: Asked;
  readonly view: View;
}

const idOf = ({ code, tone }: Pick<Part, 'code' | 'tone'>): string => code ?? tone;

/** The chosen ratings and reason that the survey has. */
export const kindsOf = ({ results, of, view }: Looked) => ({
  part: partsOf(results.survey).find((part) => idOf(part) === view.ratings),
  named: reasonsOffered(of, results).find(({ code }) => code === view.reason),
});

export function filtersAsked(looked: Looked): Query {
  const { segment, value } = looked.asked;
  const { part, named } = kindsOf(looked);
  return {
    ...(part?.code === undefined
      ? part && { ratingMin: String(part.from), ratingMax: String(part.to) }
      : { choice: part.code }),
    ...(value !== undefined && { segment, value }),
    ...(named && { reason: named.code }),
  };
}

export function offerFilters(looked: Looked): void {
  const { results, of, surveys, view } = looked;
  const isChoice = results.survey.type === 'choice';
  const parts = isChoice ? partsOf(results.survey) : [...partsOf(results.survey)].reverse();
  const options = parts.map((part) => html`<option value="${idOf(part)}">${part.name}</option>`);
  show(ratings, html`<option value="">All ${isChoice ? 'choices' : 'ratings'}</option>${options}`);
  ratings.value = parts.map(idOf).find((id) => id === view.ratings) ?? '';
  for (const label of ratings.labels) label.textContent = isChoice ? 'Choice' : 'Ratings';
  if (ratings.parentElement) ratings.parentElement.hidden = results.survey.type === 'open';
  const reasons = reasonsOffered(of, results);
  const offered = [{ code: '', label: 'All reasons' }, ...reasons].map(
    ({ code, label }) => html`<option value="${code}">${label}</option>`,
  );
  show(reason, html`${offered}`);
  reason.value = filtersAsked(looked).reason ?? '';
  if (reason.parentElement) reason.parentElement.hidden = reasons.length === 0;
  states.value = view.state ?? 'open';
  contactsOf.value = view.contacts === 'all' ? 'all' : '';
  if (contactsOf.parentElement) contactsOf.parentElement.hidden = surveys.length < 2;
  when.value = view.when === 'all' ? 'all' : '';
  order.value = view.sort === 'newest' ? 'newest' : '';
}

export const filtersChosen = () => ({
  ratings: ratings.value || undefined,
  reason: reason.value || undefined,
  state: states.value === 'open' ? undefined : states.value,
  contacts: contactsOf.value || undefined,
  when: when.value || undefined,
  sort: order.value || undefined,
});
