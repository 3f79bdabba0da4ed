/** Comments, and people who want to be contacted. */

import type { Contact, ContactsReply } from '../../../shared/contract/contact-schemas.ts';
import type { Comment, CommentsReply } from '../../../shared/contract/results-schemas.ts';
import { addDays } from '../../../shared/domain/days.ts';
import { NO_VALUE, OTHER_VALUE } from '../../../shared/domain/surveys/segments.ts';
import { hasScale } from '../../../shared/domain/surveys/survey.ts';
import { type Html, html } from '../../html.ts';
import { comment, facts, reasonsOf, saidUnder, whom } from '../comment.ts';
import { counted, formatCount, writeDay } from '../figures.ts';
import { segmentName, toneOf } from '../result-words.ts';
import { type Asker, askOfPeople, type Query } from './ask.ts';
import { reasonsOffered, type Survey, wordsOf } from './controls.ts';
import { find, show } from './dom.ts';
import { filtersAsked, kindsOf, type Looked, PagedList } from './paged-list.ts';

const contacts = new PagedList('contact', 'more-contacts');
const whoseContacts = find('contacts-whose', HTMLElement);
const earlier = find('earlier', HTMLElement);

const NOTHING: Readonly<Record<string, string>> = {
  open: 'No open contact requests',
  handled: 'No handled contact requests',
  all: 'No contact requests',
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
      ? html`<input type="text" aria-label="Note for colleagues" placeholder="Add a note" maxlength="500"><button type="button" class="handled">Mark as handled</button>`
      : html`<button type="button" class="reopen">Reopen</button>`;
  return html`<form class="handle" data-id="${id}">${said}${tools}</form>`;
}

/** The page size for pages that are filtered or sorted here. */
const MOST_LISTED = '100';
/** Higher than any scale. */
const MOST_RATING = 100;

/** @param isOfAll whether to name the survey */
function contactItem(each: Contact, looked: Looked, isOfAll: boolean): Html {
  const { mayHandle, results, surveys } = looked;
  const of = surveys.find(({ id }) => id === each.survey.id);
  const reasons = of?.id === results.survey.id ? reasonsOffered(of, results) : (of?.reasons ?? []);
  const named = isOfAll ? html`<span class="fact of"><bdi>${each.survey.slug}</bdi></span>` : html``;
  return comment(
    of ?? results.survey,
    each,
    html`${reasonsOf(each, { reasons, ...(of?.id === results.survey.id && { questions: results.questions }) })}<div class="foot">${whom(each)}${handling(each, mayHandle)}</div>`,
    html`${named}${facts(each, of, isOfAll ? {} : looked.asked)}`,
  );
}

/** The service lists contacts with any value, so they are filtered here. */
function isOfValue(answer: Comment, { of, asked: { segment, value } }: Looked): boolean {
  if (segment === undefined || value === undefined) return true;
  const said = saidUnder(segment, answer, of?.segmentSources ?? {});
  if (said === null) return value === NO_VALUE;
  const isDeclared = of?.segmentValues?.[segment]?.includes(String(said)) ?? false;
  return value === (isDeclared ? String(said) : OTHER_VALUE);
}

/** The state of the heading. `left` corrects the loaded count for contacts that were handled since. */
let heading = { state: 'open', whose: '', hasMore: false, left: 0 };

const stateWords = (state: string): string => (state === 'all' ? 'in total' : state);

function tellCount(): void {
  const { state, whose, hasMore, left } = heading;
  const said = `${formatCount(contacts.count + left)}${hasMore ? '+' : ''} ${stateWords(state)}`;
  whoseContacts.textContent = `${contacts.count === 0 ? '' : `${said} · `}${whose}`;
}

type AskContacts = (limit: string, cursor: string | undefined) => Promise<ContactsReply>;

/** Filtered pages may be short without being the last. */
const MOST_PAGES = 5;

async function readNewest(ask: AskContacts): Promise<ContactsReply> {
  const read: Contact[] = [];
  let nextCursor: string | undefined;
  for (let page = 0; page < MOST_PAGES && read.length < Number(MOST_LISTED); page += 1) {
    const reply = await ask(MOST_LISTED, nextCursor);
    read.push(...reply.contacts);
    nextCursor = reply.nextCursor;
    if (nextCursor === undefined) break;
  }
  return { contacts: read, ...(nextCursor !== undefined && { nextCursor }) };
}

const TONES = ['low', 'middle', 'high'] as const;

/** Sorts by the lowest tone on any scale, then by the lowest rating, then by the newest. */
function lowestFirst(listed: readonly Contact[], surveys: readonly Survey[]): readonly Contact[] {
  const ranked = listed.map((each) => {
    const of = surveys.find(({ id }) => id === each.survey.id) ?? 'nps';
    const isScaled = typeof of === 'string' || hasScale(of.type);
    const rating = isScaled ? each.rating : 0;
    return { each, rank: TONES.indexOf(toneOf(of, each.rating)) * MOST_RATING + rating };
  });
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ each }) => each);
}

/** Lists contacts of the period together with the number of earlier ones, or contacts of all time. */
export async function showContacts(looked: Looked, isMore: boolean): Promise<void> {
  const { asker, results, of, asked, surveys, view } = looked;
  const { segment, value } = asked;
  const isOfAll = view.contacts === 'all';
  const isFiltered = segment !== undefined && value !== undefined && !isOfAll;
  const state = view.state ?? 'open';
  const surveyId = isOfAll ? undefined : results.survey.id;
  const isLowest = view.sort !== 'newest';
  const isAllTime = view.when === 'all';
  const { from = '', to } = isAllTime ? {} : results;
  let isCut = false;
  let fromBefore = '';
  const askOf =
    (days: Query): AskContacts =>
    (limit, cursor) =>
      askOfPeople<ContactsReply>(asker, '/v1/contacts', { surveyId, state, ...days, limit, cursor });
  const ask = askOf({ from: isLowest ? undefined : from || undefined, to });
  const isWanted = (each: Contact) => isOfAll || isOfValue(each, looked);
  const draw = (listed: readonly Contact[]) =>
    listed.filter(isWanted).map((each) => contactItem(each, looked, isOfAll));
  function countBefore(listed: readonly Contact[], hasMore: boolean): void {
    const before = listed.filter(isWanted).length;
    const kind = state === 'all' ? 'request' : `${state} request`;
    const requests = hasMore ? `${formatCount(before)}+ ${kind}s` : counted(before, kind);
    fromBefore = before === 0 ? '' : `Show ${requests} from before this period`;
  }
  const read = async (limit: number, cursor: string | undefined) => {
    if (!isLowest) {
      // Pages are requested in sequence, so that a refusal happens only once.
      const reply = await ask(isFiltered ? MOST_LISTED : String(limit), cursor);
      if (cursor === undefined && !isAllTime) {
        const before = await readNewest(askOf({ to: addDays(from, -1) }));
        countBefore(before.contacts, before.nextCursor !== undefined);
      }
      return { items: draw(reply.contacts), nextCursor: reply.nextCursor };
    }
    const reply = await readNewest(ask);
    const listed = reply.contacts.filter(({ at }) => at >= from);
    const hasMore = reply.nextCursor !== undefined;
    // Contacts arrive newest first, so an earlier one means that the whole period was read.
    isCut = hasMore && listed.length === reply.contacts.length;
    countBefore(reply.contacts.slice(listed.length), hasMore);
    return { items: draw(lowestFirst(listed, surveys)) };
  };
  const nothing = `${NOTHING[state] ?? ''}${isAllTime ? '.' : ' in this period.'}`;
  if (!(await contacts.fill(isMore, read, nothing)) || (isMore && isLowest)) return;
  if (!isMore) {
    earlier.textContent = fromBefore;
    earlier.hidden = fromBefore === '';
  }
  if (isCut)
    contacts.tell('Only the newest requests are sorted by rating. To see all, choose “Newest first”.');
  const ofValue = isFiltered ? ` · ${segmentName(segment)}: ${wordsOf(of, segment, value)}` : ' · all people';
  const hasMore = isCut || contacts.hasMore;
  const when = isAllTime ? 'all time' : 'in this period';
  heading = {
    state,
    whose: `${when}${value === undefined ? '' : ofValue}`,
    hasMore,
    left: isMore ? heading.left : 0,
  };
  tellCount();
  contacts.print(null, [], isLowest ? 'lowest' : 'newest');
}

/** The person stays visible, so that the action can be undone. */
export async function handleContact(asker: Asker, form: HTMLFormElement, handled: boolean): Promise<void> {
  // Ignores a second click.
  if (form.ariaBusy === 'true') return;
  form.ariaBusy = 'true';
  const id = form.dataset.id ?? '';
  const note = form.querySelector('input')?.value.trim() ?? '';
  try {
    await asker.put(`/v1/contacts/${encodeURIComponent(id)}`, { handled, ...(note !== '' && { note }) });
  } catch (error) {
    form.ariaBusy = null;
    contacts.tell(error instanceof Error ? error.message : String(error));
    return;
  }
  // The list was replaced in the meantime.
  if (!form.isConnected) return;
  const now = { at: new Date().toISOString(), by: 'you', note: note === '' ? null : note };
  const template = document.createElement('template');
  show(template, handling({ id, handled: handled ? now : null }, true));
  const next = template.content.firstElementChild;
  if (heading.state !== 'all') {
    heading.left += (heading.state === 'handled') === handled ? 1 : -1;
  }
  tellCount();
  form.replaceWith(template.content);
  next?.querySelector('button')?.focus();
  contacts.tell(handled ? `Marked as handled${note === '' ? '' : '. Your note was saved'}.` : 'Reopened.');
}

export const hideContacts = (): void => contacts.hide();

const comments = new PagedList('comment', 'more');
const commentCount = find('comments-count', HTMLElement);
const sought = find('find', HTMLInputElement);

let printComments = (): void => undefined;

export async function showComments(looked: Looked, isMore: boolean): Promise<void> {
  const { asker, results, of } = looked;
  const { survey, from, to } = results;
  const reasons = reasonsOffered(of, results);
  const filters = filtersAsked(looked);
  const query = { surveyId: survey.id, from, to, ...filters };
  const read = async (limit: number, cursor: string | undefined) => {
    const asked = { ...query, limit: String(limit), cursor };
    const reply = await askOfPeople<CommentsReply>(asker, '/v1/results/comments', asked);
    const items = reply.comments.map((each) =>
      comment(
        survey,
        each,
        html`${reasonsOf(each, { reasons, questions: results.questions })}${whom(each, html`Contact: `)}`,
        facts(each, of, looked.asked),
      ),
    );
    return { items, nextCursor: reply.nextCursor };
  };
  const nothing = `No ${Object.keys(filters).length > 0 ? 'matching ' : ''}comments in this period.`;
  if (!(await comments.fill(isMore, read, nothing))) return;
  const { part, named } = kindsOf(looked);
  const kinds = [part?.name, named?.label];
  const isEvery = kinds.every((kind) => kind === undefined);
  commentCount.textContent = isEvery && results.comments ? formatCount(results.comments) : '';
  printComments = () =>
    comments.print(isEvery && sought.value === '' ? results.comments : null, kinds, 'newest');
  printComments();
}

sought.addEventListener('input', () => {
  comments.find(sought.value);
  printComments();
});

export const hideComments = (): void => comments.hide();
