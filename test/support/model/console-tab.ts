/** Somebody's tab of the console, and what that person has typed and has been shown. */

import { type Draft, isDraft } from '../../../pages/console/rules/draft.ts';
import type { Wish } from '../../../pages/console/rules/draft-machine.ts';
import { isMoved, isOrdering, type Ordering } from '../../../pages/console/rules/survey-order.ts';
import { changedByOthers, merged, type Side } from '../../../pages/console/rules/two-people.ts';
import type { CallOptions, Reply, TestService } from '../service/test-service.ts';
import { type Ask, ConsolePage, type EditorScreen, type OrderScreen, type Place } from './console-page.ts';
import { FIELDS, Shown } from './shown.ts';

/** What one request of a deed meets; the others find a service in order. Counted from 1. */
export interface Fault {
  readonly request: number;
  /** A reply that never comes, or a function that dies in the midst of it. */
  readonly by: 'loss' | TestService;
}
/** One request of a deed is on its way until it is let go: others act meanwhile, and the person goes on. */
export interface Hold {
  readonly request: number;
  /** It has not reached the service, or its reply has not reached the page. */
  readonly on: 'way there' | 'way back';
}
export interface Surroundings {
  readonly service: TestService;
  readonly fault?: Fault | undefined;
  readonly hold?: Hold | undefined;
}
/** Carries a request out for the person who is signed in. */
export type Send = (
  tab: ConsoleTab,
  service: TestService,
  method: 'GET' | 'PUT',
  given: Pick<CallOptions, 'query' | 'body'>,
) => Promise<Reply>;

const tick = () => new Promise(setImmediate);

export class ConsoleTab {
  readonly who: string;
  readonly #service: TestService;
  readonly #send: Send;
  /** Of the browser: it outlives the page, and a sign-in. */
  readonly #storage = new Map<string, string>();
  #page: ConsolePage | undefined;
  #around: Surroundings;
  #requests = 0;
  readonly #running = new Set<Promise<unknown>>();
  #letGo: (() => void) | undefined;

  readonly shown = new Shown();
  /** The order of the surveys as it was on the screen last. */
  order: readonly string[] = [];
  /** Orders that were on the screen, or stored from here, heard of or not. */
  readonly knownOrders: (readonly string[])[] = [];
  /** Moved, and neither stored nor given up. */
  moved: readonly string[] | undefined;
  /** Typed, and neither stored nor given up: by the slug of the screen, empty of a new survey. */
  readonly typed = new Map<string, Map<string, unknown>>();
  /** Surveys as they were confirmed, by the slug of the screen: a new one has its own. */
  readonly #confirmed = new Map<string, Set<string>>();
  /** Screens of surveys that were there, and of them those where it was told that somebody removed it. */
  readonly #there = new Set<string>();
  readonly #told = new Set<string>();
  /** Surveys that were said to be new ones when they were confirmed, and are not made yet. */
  readonly asNew = new Set<string>();

  constructor(who: string, service: TestService, send: Send) {
    this.who = who;
    this.#service = service;
    this.#send = send;
    this.#around = { service };
  }

  get editor(): EditorScreen | undefined {
    return this.#page?.editor;
  }
  get ordering(): OrderScreen | undefined {
    return this.#page?.order;
  }
  get place(): Place | undefined {
    return this.#page?.place;
  }
  /** What is shown before it is stored. */
  get #review() {
    const state = this.editor?.state;
    return state?.is === 'reviewing' ? state.review : undefined;
  }
  get isHeld(): boolean {
    return this.#letGo !== undefined;
  }

  #ask(page: ConsolePage): Ask {
    return async (_, { method = 'GET', query, body } = {}) => {
      const number = ++this.#requests;
      const { service, fault, hold } = this.#around;
      const hit = number === fault?.request ? fault.by : undefined;
      const isHeld = number === hold?.request && this.#letGo === undefined;
      const wait = () =>
        new Promise<void>((go) => {
          this.#letGo = go;
        });
      if (isHeld && hold.on === 'way there') await wait();
      const of = hit === undefined || hit === 'loss' ? service : hit;
      const sent = this.#send(this, of, method === 'PUT' ? 'PUT' : 'GET', { ...(query && { query }), body });
      this.#running.add(sent);
      const reply = await sent.finally(() => this.#running.delete(sent));
      if (isHeld && hold.on === 'way back') await wait();
      if (page.isClosed) return new Promise(() => undefined);
      if (hit === 'loss') throw page.refusal(0);
      if (reply.status !== 200) throw page.refusal(reply.status, reply.body);
      return reply.body;
    };
  }

  /** Does something, and waits until the page has nothing more to do but for what is held. */
  async #do(
    deed: (page: ConsolePage) => void,
    around: Surroundings = { service: this.#service },
  ): Promise<void> {
    this.#around = around;
    this.#requests = 0;
    this.#page ??= new ConsolePage(this.#storage);
    deed(this.#page);
    await this.#settle();
  }

  async #settle(): Promise<void> {
    do {
      await Promise.allSettled(this.#running);
      await tick();
    } while (this.#running.size > 0);
    const page = this.#page;
    const place = page?.takeAddress();
    if (place === 'list') page?.leave();
    else if (page !== undefined && place !== undefined) {
      // What was typed of a survey that is made goes on under its name.
      const from = page.place?.slug ?? '';
      const typed = [...(this.typed.get(place.slug) ?? []), ...(this.typed.get(from) ?? [])];
      this.typed.delete(from);
      this.typed.set(place.slug, new Map(typed));
      page.open(place, this.#ask(page));
      await this.#settle();
    }
    this.#look();
  }

  /** What is on the screen is known to its person. */
  #look(): void {
    const { editor, ordering } = this;
    if (editor !== undefined) {
      const { draft, state, failure } = editor;
      const key = this.place?.slug ?? '';
      if (draft.base !== undefined) {
        this.#there.add(key);
        this.#told.delete(key);
      } else if (failure?.startsWith('Someone removed this survey')) this.#told.add(key);
      for (const field of FIELDS) this.shown.see(draft.mine.slug, field, draft.mine[field]);
      if (draft.base !== undefined) this.shown.see(draft.base.slug, 'status', draft.base.status);
      if (state.is === 'conflict') {
        const { theirs } = state.conflict;
        for (const { field } of this.differences())
          this.shown.see(theirs.slug, field, theirs[field as 'question']);
      }
    }
    if (ordering !== undefined) {
      const { theirs, mine } = ordering.ordering;
      if (theirs !== undefined) this.order = theirs;
      else if (!isMoved(ordering.ordering)) this.order = mine;
      this.knownOrders.push(this.order);
    }
  }

  open = (place: Place, around?: Surroundings): Promise<void> =>
    this.#do((page) => page.open(place, this.#ask(page)), around);

  /** Another sign-in, or another screen than these. */
  redraw = (): Promise<void> => this.#do((page) => page.draw(this.#ask(page)));
  leave = (): Promise<void> => this.#do((page) => page.leave());

  /** The page goes; the tab stays, or is opened again. */
  close(): void {
    if (this.#page === undefined) return;
    this.#page.isClosed = true;
    this.#page = undefined;
  }

  async letGo(): Promise<void> {
    this.#letGo?.();
    this.#letGo = undefined;
    await tick();
    await this.#settle();
  }

  async type(field: 'question' | 'followUpQuestion' | 'slug', value: string): Promise<void> {
    const { editor } = this;
    if (editor === undefined) return;
    // A dialog that waits for an answer is closed for that; a request does not wait for somebody who types.
    if (this.#review !== undefined || editor.state.is === 'conflict')
      await this.#do(() => editor.send({ type: 'close' }));
    const slug = this.place?.slug ?? '';
    await this.#do(() => this.editor?.send({ type: 'change', patch: { [field]: value } }));
    if (field === 'slug') return;
    const typed = this.typed.get(slug) ?? new Map<string, unknown>();
    if (editor.draft.base?.[field] === value) typed.delete(field);
    else typed.set(field, value);
    this.typed.set(slug, typed);
  }

  /** Asks what it would do. Where somebody else was first, decides, and asks once more. */
  async begin(around: Surroundings, wish: Wish, side: Side): Promise<void> {
    const { editor } = this;
    if (editor === undefined) return;
    if (this.#review !== undefined) await this.#do(() => editor.send({ type: 'close' }));
    await this.#do(() => this.editor?.send({ type: 'wish', wish }), around);
    await this.decide(side);
  }

  differences() {
    const state = this.editor?.state;
    const mine = this.editor?.draft.mine;
    if (state?.is !== 'conflict' || mine === undefined) return [];
    const { draft, theirs } = state.conflict;
    return changedByOthers({ base: draft.base ?? theirs, theirs, mine });
  }

  async decide(side: Side): Promise<void> {
    const { editor } = this;
    if (editor?.state.is !== 'conflict') return;
    const {
      theirs,
      draft: { base = theirs },
    } = editor.state.conflict;
    const differences = this.differences();
    const choices = new Map(differences.map(({ field }) => [field, side]));
    const mine = merged({ base, theirs, mine: editor.draft.mine }, choices);
    if (mine === undefined) throw new Error('nothing was decided');
    const typed = this.typed.get(this.place?.slug ?? '');
    if (side === 'theirs') for (const { field } of differences) typed?.delete(field);
    await this.#do(() => editor.send({ type: 'decide', mine }));
  }

  /** Says yes to what is shown. */
  async confirm(around: Surroundings): Promise<void> {
    const review = this.#review;
    if (review === undefined) return;
    const { slug, status } = review.target;
    const key = this.place?.slug ?? '';
    const isTold = key === '' || !this.#there.has(key) || this.#told.has(key);
    if (review.draft.base === undefined && isTold) this.asNew.add(slug);
    this.#confirmed.set(key, new Set(this.slugsOf(key)).add(slug));
    this.shown.see(slug, 'status', status);
    await this.#do(() => this.editor?.send({ type: 'confirm' }), around);
  }

  async discard(): Promise<void> {
    const { editor, place } = this;
    if (editor?.state.is !== 'typed' && editor?.state.is !== 'gone') return;
    this.typed.delete(place?.slug ?? '');
    await this.#do(() => editor.send({ type: 'discard' }));
  }

  async move(at: number, by: -1 | 1): Promise<void> {
    const mine = this.ordering?.ordering.mine ?? [];
    const slug = mine[at % Math.max(mine.length, 1)];
    if (slug === undefined) return;
    await this.#do(() => this.ordering?.move(slug, by));
    const next = this.ordering?.ordering;
    // Moved back, it is as it was.
    this.moved = next !== undefined && isMoved(next) ? next.mine : undefined;
  }

  async storeOrder(around: Surroundings): Promise<void> {
    const { ordering } = this;
    const { mine = [], theirs } = ordering?.ordering ?? {};
    // The button is disabled.
    if (ordering === undefined || theirs !== undefined || mine.join() === ordering.definitions?.order.join())
      return;
    await this.#do(() => void ordering.store(), around);
  }

  async decideOrder(side: Side): Promise<void> {
    const { ordering } = this;
    if (ordering?.ordering.theirs === undefined) return;
    if (side === 'theirs') this.moved = undefined;
    await this.#do(() => ordering.decide(side));
  }

  async discardOrder(): Promise<void> {
    const { ordering } = this;
    if (ordering === undefined) return;
    this.moved = undefined;
    await this.#do(ordering.discard);
  }

  /** What a screen's draft may be stored as. */
  slugsOf = (key: string): readonly string[] => [...(this.#confirmed.get(key) ?? [key])];

  #kept(name: string): unknown {
    return JSON.parse(this.#storage.get(`canvass-console/model/${name}`) ?? 'null');
  }
  keptDraft(slug: string): Draft | undefined {
    const kept = this.#kept(`draft/${slug}`);
    return isDraft(kept) ? kept : undefined;
  }
  keptOrder(): Ordering | undefined {
    const kept = this.#kept('typed/order');
    return isOrdering(kept) ? kept : undefined;
  }
  /** What it would offer again if it were opened anew. */
  kept(): Place[] {
    const names = [...this.#storage.keys()].map((name) => name.replace('canvass-console/model/', ''));
    return names.map((name) =>
      name === 'typed/order'
        ? { screen: 'order', slug: '' }
        : { screen: 'editor', slug: name.replace('draft/', '') },
    );
  }
}
