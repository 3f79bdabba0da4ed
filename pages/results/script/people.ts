/** What people wrote, and who wants to be contacted: two lists with filters of their own. */

import type { Contact, ContactsReply } from '../../../shared/contract/contact-schemas.ts';
import type { Comment, CommentsReply, ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { type Html, html } from '../../html.ts';
import { reasonsOf } from '../charts/reason-table.ts';
import { writeDay } from '../figures.ts';
import { PARTS } from '../rating-words.ts';
import { comment } from '../sections.ts';
import { ask, put, type Query, Refused } from './ask.ts';
import type { Asked } from './controls.ts';
import { choose, chosen, find, list, show } from './dom.ts';
import { type Sources, saidUnder } from './said-under.ts';
import type { View } from './view.ts';

/** People and comments of a first page, and of further ones. */
const [FIRST, MORE] = [10, 50] as const;
const MOST_PAGES = 5;

/** A list that grows page by page; a late page of an earlier question is not shown. */
class PagedList {
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
      this.#more.hidden = nextCursor === undefined;
      this.#section.hidden = false;
      this.tell(this.#items.childElementCount === 0 && nextCursor === undefined ? nothing : '');
    } catch (error) {
      if (mine !== this.#asked) return;
      if (!isMore) this.clear();
      // The key shows numbers alone.
      if (error instanceof Refused && error.status === 401) this.#section.hidden = true;
      else this.tell(error instanceof Error ? error.message : String(error));
    }
  }
}

const comments = new PagedList('comment', 'more');
const contacts = new PagedList('contact', 'more-contacts');
const reason = find('reason', HTMLSelectElement);
const whoseContacts = find('contacts-whose', HTMLElement);
const [ratings, states] = [find('ratings', HTMLFieldSetElement), find('state', HTMLFieldSetElement)];

export interface Looked {
  readonly key: string;
  /** Whether the person who looks may say that somebody was seen to. */
  readonly mayHandle: boolean;
  readonly results: ResultsReply;
  /** Segments of the survey. */
  readonly segments: readonly string[];
  readonly sources: Sources;
  /** Of whom. */
  readonly asked: Asked;
  readonly view: View;
}

const looksLikeMail = (address: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address);

/** The person, where somebody may write to them. */
function whom({ contact, followUpRequested, respondentId }: Comment): Html {
  const address = contact ?? (followUpRequested === true ? respondentId : null);
  if (address === null) return html``;
  const shown = looksLikeMail(address)
    ? html`<a href="mailto:${encodeURIComponent(address)}"><bdi>${address}</bdi></a>`
    : html`<bdi>${address}</bdi>`;
  return html`<p class="person about">To contact: ${shown}</p>`;
}

/** What the answer says in the survey's segments, and what the server says of its turn. */
function facts(answer: Comment, { segments, sources }: Pick<Looked, 'segments' | 'sources'>): Html {
  const bySegment = segments
    .filter((name) => name !== 'identityKind' && sources[name] !== 'label')
    .map((name) => [name, saidUnder(name, answer, sources)] as const);
  const said = [...bySegment, ...Object.entries(answer.labels ?? {})].flatMap(([name, value]) =>
    value === null ? [] : [html`<span class="fact"><bdi>${name}: ${String(value)}</bdi></span>`],
  );
  return html`${said}`;
}

/** The ratings of the part that is chosen, the people, and the reason, as far as these results have it. */
export function filtersAsked({ results, view, asked: { segment, value } }: Looked): Query {
  const part = PARTS[results.survey.type].find(({ tone }) => tone === view.ratings);
  const named = results.reasons?.find(({ code }) => code === view.reason);
  return {
    ...(part !== undefined && { ratingMin: String(part.from), ratingMax: String(part.to) }),
    ...(value !== undefined && { segment, value }),
    ...(named && { reason: named.code }),
  };
}

/** Names the parts of the survey's ratings, and the states, as the view has them. */
export function offerFilters(looked: Looked): void {
  const { results, view } = looked;
  const parts = [...PARTS[results.survey.type]].reverse();
  const offered = [{ tone: '', name: 'All' }, ...parts];
  const hadFocus = ratings.contains(document.activeElement);
  const buttons = offered.map(
    ({ tone, name }) =>
      html`<label><input type="radio" name="ratings" value="${tone}"><span>${name}</span></label>`,
  );
  show(ratings, html`<legend>Ratings</legend>${buttons}`);
  const isKnown = parts.some(({ tone }) => tone === view.ratings);
  choose(ratings, (isKnown && view.ratings) || '');
  const reasons = results.reasons ?? [];
  const options = [{ code: '', label: 'All' }, ...reasons].map(
    ({ code, label }) => html`<option value="${code}">${label}</option>`,
  );
  show(reason, html`${options}`);
  reason.value = filtersAsked(looked).reason ?? '';
  if (reason.parentElement) reason.parentElement.hidden = reasons.length === 0;
  choose(states, view.state ?? 'open');
  if (hadFocus) ratings.querySelector<HTMLInputElement>('input:checked')?.focus();
}

export const filtersChosen = () => ({
  ratings: chosen(ratings) || undefined,
  reason: reason.value || undefined,
  state: chosen(states) === 'open' ? undefined : chosen(states),
});

export function showComments(looked: Looked, isMore: boolean): Promise<void> {
  const { key, results } = looked;
  const { survey, from, to } = results;
  const query = { surveyId: survey.id, from, to, ...filtersAsked(looked) };
  const read = async (limit: number, cursor: string | undefined) => {
    const asked = { ...query, limit: String(limit), cursor };
    const reply = await ask<CommentsReply>(key, '/v1/results/comments', asked);
    const items = reply.comments.map((each) =>
      comment(survey.type, each, html`${reasonsOf(each, results)}${whom(each)}`, facts(each, looked)),
    );
    return { items, nextCursor: reply.nextCursor };
  };
  return comments.fill(isMore, read, 'Nobody wrote a comment of this kind in these days.');
}

const NOTHING: Readonly<Record<string, string>> = {
  open: 'Nobody is waiting.',
  handled: 'Nobody has been seen to yet.',
  all: 'Nobody asked to be contacted.',
};

function handling({ id, handled }: Pick<Contact, 'id' | 'handled'>, mayHandle: boolean): Html {
  const note = handled?.note ? html`: <bdi>${handled.note}</bdi>` : html``;
  const said =
    handled === null
      ? html``
      : html`<span class="about">Handled on ${writeDay(handled.at)} by <bdi>${handled.by}</bdi>${note}</span>`;
  if (!mayHandle) return handled === null ? html`` : html`<p class="handle">${said}</p>`;
  const tools =
    handled === null
      ? html`<input type="text" aria-label="Note for colleagues" placeholder="Add a note" maxlength="500"><button type="button" class="handled">Handled</button>`
      : html`<button type="button" class="reopen">Open again</button>`;
  return html`<form class="handle" data-id="${id}">${said}${tools}</form>`;
}

/** Of all days: whoever waits for long waits most. */
export function showContacts(looked: Looked, isMore: boolean): Promise<void> {
  const { key, mayHandle, results, asked, view } = looked;
  whoseContacts.textContent = asked.value === undefined ? 'on any day' : 'on any day, of all people';
  const { survey } = results;
  const state = view.state ?? 'open';
  const read = async (limit: number, cursor: string | undefined) => {
    const query = { surveyId: survey.id, state, limit: String(limit), cursor };
    const reply = await ask<ContactsReply>(key, '/v1/contacts', query);
    const items = reply.contacts.map((each) =>
      comment(
        survey.type,
        each,
        html`${reasonsOf(each, results)}${whom(each)}${handling(each, mayHandle)}`,
        facts(each, looked),
      ),
    );
    return { items, nextCursor: reply.nextCursor };
  };
  return contacts.fill(isMore, read, NOTHING[state] ?? '');
}

/** Says of one contact that somebody has seen to it, or not after all; the person stays in sight, and can be undone. */
export async function handleContact(key: string, form: HTMLFormElement, handled: boolean): Promise<void> {
  const id = form.dataset.id ?? '';
  const note = form.querySelector('input')?.value.trim() ?? '';
  try {
    await put(key, `/v1/contacts/${encodeURIComponent(id)}`, { handled, ...(note !== '' && { note }) });
  } catch (error) {
    contacts.tell(error instanceof Error ? error.message : String(error));
    return;
  }
  const now = { at: new Date().toISOString(), by: 'you', note: note === '' ? null : note };
  const template = document.createElement('template');
  show(template, handling({ id, handled: handled ? now : null }, true));
  const next = template.content.firstElementChild;
  form.replaceWith(template.content);
  next?.querySelector('button')?.focus();
  contacts.tell(handled ? `Handled${note === '' ? '' : ', with your note'}.` : 'Open again.');
}

export const hideComments = (): void => comments.hide();

export function hidePeople(): void {
  comments.hide();
  contacts.hide();
}
