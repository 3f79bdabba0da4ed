/** One person's console tab, with everything that the person has typed and seen. */

import { type Draft, isDraft } from '../../../pages/console/rules/draft.ts';
import type { Wish } from '../../../pages/console/rules/draft-machine.ts';
import { isMoved, isOrdering, type Ordering } from '../../../pages/console/rules/survey-order.ts';
import { changedByOthers, merged, type Side } from '../../../pages/console/rules/two-people.ts';
import type { CallOptions, Reply, TestService } from '../service/test-service.ts';
import { type Ask, ConsolePage, type EditorScreen, type OrderScreen, type Place } from './console-page.ts';

export const FIELDS = ['question', 'followUpQuestion', 'status'] as const;

export class Shown {
  readonly #values = new Map<string, Set<unknown>>();

  see(slug: string, field: string, value: unknown): void {
    this.#values.set(`${slug} ${field}`, new Set(this.of(slug, field)).add(value));
  }

  of(slug: string, field: string): ReadonlySet<unknown> {
    return this.#values.get(`${slug} ${field}`) ?? new Set();
  }
}

/** The fault of one request, counted from 1. */
export interface Fault {
  readonly request: number;
  readonly by: 'loss' | TestService;
}
export interface Hold {
  readonly request: number;
  readonly on: 'way there' | 'way back';
}
export interface Surroundings {
  readonly service: TestService;
  readonly fault?: Fault | undefined;
  readonly hold?: Hold | undefined;
}
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
  /** The storage outlives the page and a sign-in. */
  readonly #storage = new Map<string, string>();
  #page: ConsolePage | undefined;
  #around: Surroundings;
  #requests = 0;
  readonly #running = new Set<Promise<unknown>>();
  #letGo: (() => void) | undefined;

  readonly shown = new Shown();
  order: readonly string[] = [];
  /** Includes orders whose reply was lost. */
  readonly knownOrders: (readonly string[])[] = [];
  /** Order that is neither stored nor discarded yet. */
  moved: readonly string[] | undefined;
  /** Typed values by slug. The slug is empty for a new survey. */
  readonly typed = new Map<string, Map<string, unknown>>();
  readonly #confirmed = new Map<string, Set<string>>();
  readonly #there = new Set<string>();
  readonly #told = new Set<string>();
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
      // Words typed for a new survey now belong to its slug.
      const from = page.place?.slug ?? '';
      const typed = [...(this.typed.get(place.slug) ?? []), ...(this.typed.get(from) ?? [])];
      this.typed.delete(from);
      this.typed.set(place.slug, new Map(typed));
      page.open(place, this.#ask(page));
      await this.#settle();
    }
    this.#look();
  }

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

  redraw = (): Promise<void> => this.#do((page) => page.draw(this.#ask(page)));
  leave = (): Promise<void> => this.#do((page) => page.leave());

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
    // The survey was moved back.
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
  kept(): Place[] {
    const names = [...this.#storage.keys()].map((name) => name.replace('canvass-console/model/', ''));
    return names.map((name) =>
      name === 'typed/order'
        ? { screen: 'order', slug: '' }
        : { screen: 'editor', slug: name.replace('draft/', '') },
    );
  }
}
