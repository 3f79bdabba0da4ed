/** A tab of the console's editor without its screens: the page's own code decides what is kept, shown and sent. */

import { vi } from 'vitest';
import { listDefinitions } from '../../../functions/list-definitions.ts';
import { putDefinitions } from '../../../functions/put-definitions.ts';
import { changed, type Patch } from '../../../pages/surveys/edited-survey.ts';
import type { KeptDraft } from '../../../pages/surveys/kept-draft.ts';
import { type Difference, merged, type Side } from '../../../pages/surveys/two-people.ts';
import type { DefinitionsReply } from '../../../shared/contract/definition-schemas.ts';
import type { WrittenSurvey } from '../../../shared/domain/surveys/written-survey.ts';
import type { CallOptions, Reply, TestService } from '../service/test-service.ts';

interface Review {
  readonly draft: KeptDraft;
  readonly target: WrittenSurvey;
  readonly isOfStatus: boolean;
}
interface Conflict {
  readonly draft: KeptDraft;
  readonly theirs: WrittenSurvey;
  readonly differences: readonly Difference[];
  readonly revision: number;
}
type Outcome =
  | { readonly is: 'review'; readonly review: Review }
  | { readonly is: 'conflict'; readonly conflict: Conflict }
  | { readonly is: 'stored'; readonly review: Review; readonly revision: number }
  | { readonly is: 'taken' }
  | { readonly is: 'refused'; readonly error: Error & { readonly status: number } };
interface Wish {
  readonly status: WrittenSurvey['status'];
  readonly isOfStatus: boolean;
}
type Ask = (path: string, question?: { method?: string; query?: object; body?: object }) => Promise<unknown>;

interface Publishing {
  readonly preview: (ask: Ask, draft: KeptDraft, wish: Wish) => Promise<Outcome>;
  readonly store: (ask: Ask, review: Review) => Promise<Outcome>;
}
interface Drafting {
  readonly recallDraft: (slug: string) => KeptDraft | undefined;
  readonly keepDraft: (slug: string, draft: KeptDraft) => void;
  readonly untouched: (base: WrittenSurvey, revision: number) => KeptDraft;
}
interface Reading {
  readonly readDefinitions: (ask: Ask) => Promise<Pick<DefinitionsReply, 'revision' | 'surveys'>>;
}
interface Refusing {
  readonly Refused: new (status: number, body?: object) => Error & { readonly status: number };
}

/** Compiled for browsers, apart from tests: loaded as it is. */
const load = (path: string) => import(new URL(`../../../pages/console/app/${path}`, import.meta.url).href);

vi.stubGlobal('location', { pathname: '/console/model' });
const { preview, store }: Publishing = await load('editor/publish.ts');
const { recallDraft, keepDraft, untouched }: Drafting = await load('editor/use-draft.ts');
const { readDefinitions }: Reading = await load('editor/definitions.ts');
const { Refused }: Refusing = await load('session/ask.ts');

/** What one request of a deed meets; the others find a service in order. */
export interface Fault {
  /** Counted from 1. */
  readonly request: number;
  /** A reply that never comes, or a function that dies in the midst of it. */
  readonly by: 'loss' | TestService;
}

export interface Surroundings {
  readonly service: TestService;
  readonly headers: () => Promise<CallOptions['headers']>;
  readonly fault: Fault | undefined;
}

/** What is typed in the model. */
export const FIELDS = ['question', 'followUpQuestion', 'status'] as const;

/** Stored values that somebody was shown, by field. */
export class Shown {
  readonly #values = new Map<string, Set<unknown>>();

  see(field: string, value: unknown): void {
    this.#values.set(field, new Set(this.of(field)).add(value));
  }

  readonly of = (field: string): ReadonlySet<unknown> => this.#values.get(field) ?? new Set();
}

export class EditingTab {
  readonly slug: string;
  /** Of the browser: it outlives the page, and a sign-in. */
  readonly #kept = new Map<string, string>();
  #draft: KeptDraft | undefined;
  #review: Review | undefined;
  /** What was typed and is neither stored nor given up. */
  readonly typed = new Map<string, unknown>();
  readonly shown = new Shown();

  constructor(slug: string) {
    this.slug = slug;
  }

  get draft(): KeptDraft | undefined {
    return this.#draft;
  }

  /** Whether a dialog shows what would be stored, and waits. */
  get isAsked(): boolean {
    return this.#review !== undefined;
  }

  /** Before each use: the page's code finds its own storage. */
  enter(): void {
    const kept = this.#kept;
    vi.stubGlobal('sessionStorage', {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => kept.set(name, value),
      removeItem: (name: string) => kept.delete(name),
    });
  }

  /** What is on the screen, or would be if the page were opened again. */
  mine(): WrittenSurvey | undefined {
    this.enter();
    return (this.#draft ?? recallDraft(this.slug))?.mine;
  }

  #ask({ service, headers, fault }: Surroundings): Ask {
    let requests = 0;
    return async (_, { method = 'GET', query = {}, body } = {}) => {
      requests += 1;
      const isHit = requests === fault?.request;
      const of = isHit && fault.by !== 'loss' ? fault.by : service;
      const given = { headers: (await headers()) ?? {} };
      const reply: Reply =
        method === 'PUT'
          ? await of.call(putDefinitions, { ...given, body })
          : await of.call(listDefinitions, { ...given, query: { ...query } });
      if (isHit && fault.by === 'loss') throw new Refused(0);
      if (reply.status !== 200) throw new Refused(reply.status, reply.body);
      return reply.body;
    };
  }

  #seeAll(survey: WrittenSurvey): void {
    for (const field of FIELDS) this.shown.see(field, survey[field]);
  }

  /** Opens the editor: with what was kept, or what is there. @returns whether it could */
  async open(around: Surroundings): Promise<boolean> {
    this.enter();
    this.close();
    const read = await readDefinitions(this.#ask(around)).catch((error: unknown) => {
      if (error instanceof Refused) return undefined;
      throw error;
    });
    const there = read?.surveys.find(({ slug }) => slug === this.slug);
    if (read === undefined || there === undefined) return false;
    const kept = recallDraft(this.slug);
    this.#draft = kept ?? untouched(there, read.revision);
    if (kept === undefined) this.#seeAll(there);
    return true;
  }

  /** The page goes; the tab stays, or is opened again. */
  close(): void {
    this.#draft = undefined;
    this.#review = undefined;
  }

  type(patch: Patch): void {
    if (this.#draft === undefined) return;
    this.enter();
    // A dialog that is open is closed for that.
    this.#review = undefined;
    this.#draft = { ...this.#draft, mine: changed(this.#draft.mine, patch) };
    keepDraft(this.slug, this.#draft);
    for (const field of FIELDS) {
      if (!(field in patch)) continue;
      if (this.#draft.base?.[field] === patch[field]) this.typed.delete(field);
      else this.typed.set(field, patch[field]);
    }
  }

  /** Asks what publishing would do; where somebody else was first, decides, and asks once more. */
  async review(around: Surroundings, wish: Wish, side: Side): Promise<Outcome['is'] | undefined> {
    if (this.#draft === undefined) return undefined;
    this.enter();
    this.#review = undefined;
    let outcome = await preview(this.#ask(around), this.#draft, wish);
    if (outcome.is === 'conflict') {
      this.#decide(outcome.conflict, side);
      outcome = await preview(this.#ask(around), this.#draft, wish);
    }
    if (outcome.is === 'review') this.#review = outcome.review;
    return outcome.is;
  }

  #decide({ theirs, differences, draft: { mine, base }, revision }: Conflict, side: Side): void {
    const survey =
      base && merged({ base, theirs, mine }, new Map(differences.map(({ field }) => [field, side])));
    if (survey === undefined) throw new Error('nothing was decided');
    for (const { field, theirs: value } of differences) {
      this.shown.see(field, value);
      if (side === 'theirs') this.typed.delete(field);
    }
    this.#draft = { mine: survey, base: theirs, revision, at: 0 };
    keepDraft(this.slug, this.#draft);
  }

  /** Stores what was shown in the dialog. */
  async confirm(around: Surroundings): Promise<Outcome['is'] | undefined> {
    if (this.#review === undefined || this.#draft === undefined) return undefined;
    this.enter();
    const outcome = await store(this.#ask(around), this.#review);
    if (outcome.is !== 'refused') this.#review = undefined;
    if (outcome.is !== 'stored') return outcome.is;
    const { target, isOfStatus } = outcome.review;
    const { mine } = this.#draft;
    this.#draft = isOfStatus
      ? { mine: changed(mine, { status: target.status }), base: target, revision: outcome.revision, at: 0 }
      : untouched(target, outcome.revision);
    keepDraft(this.slug, this.#draft);
    this.#seeAll(target);
    if (!isOfStatus) this.typed.clear();
    return outcome.is;
  }
}
