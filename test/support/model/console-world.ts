import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { erase } from '../../../functions/erase.ts';
import { listDefinitions } from '../../../functions/list-definitions.ts';
import { putDefinitions } from '../../../functions/put-definitions.ts';
import { purgedDefinitions } from '../../../functions/runtime/parts/privacy.ts';
import { MINUTE, SECOND } from '../../../shared/domain/duration.ts';
import type { WrittenSurvey } from '../../../shared/domain/surveys/written-survey.ts';
import { createAdminCli } from '../admin-cli.ts';
import { type ConsoleTenant, EDITOR, headersOf } from '../fixtures/signed-in.ts';
import type { TestClock } from '../service/test-clock.ts';
import type { TestService } from '../service/test-service.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ConsoleTab, FIELDS, type Send, Shown } from './console-tab.ts';

/** These are always written together. */
export const PAIR = ['left', 'right'] as const;
export const PEOPLE = ['ann', 'bob'] as const;
export type Who = (typeof PEOPLE)[number];
const SIGN_IN_MS = 15 * MINUTE;

interface Stored {
  readonly revision: number;
  readonly order: readonly string[];
  readonly surveys: ReadonlyMap<string, WrittenSurvey>;
  readonly sources: Readonly<Record<string, { readonly source: string }>>;
}

const among = (slugs: readonly string[], others: { has(slug: string): boolean }): string =>
  slugs.filter((slug) => others.has(slug)).join();
const isAlike = (one: readonly string[], other: readonly string[]): boolean =>
  among(one, new Set(other)) === among(other, new Set(one));

export class ConsoleWorld {
  readonly #tenant: ConsoleTenant;
  readonly fresh: TestService;
  /** A service with settings that are up to 30 seconds old. */
  readonly stale: TestService;
  readonly tabs: Readonly<Record<Who, ConsoleTab>>;
  readonly #tokens = new Map<string, string>();
  readonly #file = join(temporaryFolder(), 'surveys.yaml');
  readonly #pulled = new Shown();
  readonly #served: WrittenSurvey[][] = [];
  #broken: { readonly error: unknown } | undefined;
  readonly #pairs = new Set<string>();
  readonly #purged: { projectId: string; surveyId: string }[] = [];
  #stored: Stored = { revision: 0, order: [], surveys: new Map(), sources: {} };
  #made = 0;

  constructor(tenant: ConsoleTenant, services: { fresh: TestService; stale: TestService }) {
    this.#tenant = tenant;
    this.fresh = services.fresh;
    this.stale = services.stale;
    const tab = (who: Who) => new ConsoleTab(who, services.fresh, this.#send);
    this.tabs = { ann: tab('ann'), bob: tab('bob') };
  }

  get clock(): TestClock {
    return this.fresh.clock;
  }
  get stored(): Stored {
    return this.#stored;
  }
  newWords = (of: string): string => `${of} ${++this.#made}`;

  async read(): Promise<Stored> {
    const { body } = await this.fresh.call(listDefinitions, { secretKey: this.#tenant.secretKey });
    const surveys = body.surveys.map((survey: WrittenSurvey) => [survey.slug, survey] as const);
    const { revision, order, lastChanges } = body;
    this.#stored = { revision, order, surveys: new Map(surveys), sources: lastChanges };
    this.#pairs.add(PAIR.map((slug) => this.#stored.surveys.get(slug)?.question).join());
    return this.#stored;
  }

  async signIn(who: Who): Promise<void> {
    const [iat, exp] = [this.clock.now() / SECOND, (this.clock.now() + SIGN_IN_MS) / SECOND];
    this.#tokens.set(who, await this.#tenant.token({ ...EDITOR, sub: who, iat, exp }));
    await this.tabs[who].redraw();
  }

  readonly #send: Send = async (tab, service, method, given) => {
    const headers = headersOf(this.#tenant.project.id, this.#tokens.get(tab.who) ?? 'a.b.c');
    if (method === 'GET') return service.call(listDefinitions, { ...given, headers });
    const call = () => service.call(putDefinitions, { ...given, headers });
    const { dryRun } = given.body as { dryRun?: boolean };
    if (dryRun === true) return call();
    const reply = call();
    await this.change(() => reply, tab).catch((error: unknown) => {
      // If this were thrown, the page would treat it as a failure of the service.
      this.#broken ??= { error };
    });
    return reply;
  };

  /** @param author has seen the values that the change replaces */
  async change(deed: () => Promise<unknown>, author?: ConsoleTab): Promise<void> {
    const before = this.#stored;
    const [served] = await Promise.all([this.#serve(), deed()]);
    const after = await this.read();
    expect([before.order, after.order].map((order) => among(order, new Set(served)))).toContain(
      served.join(),
    );
    if (author !== undefined) this.#judge(author, before, after);
  }

  async #serve(): Promise<string[]> {
    const asked = async (service: TestService): Promise<WrittenSurvey[]> =>
      (await service.call(bootstrap, { body: { key: this.#tenant.publishableKey } })).body.surveys;
    const [now, old] = await Promise.all([asked(this.fresh), asked(this.stale)]);
    this.#served.push(now, old);
    return now.map(({ slug }) => slug);
  }

  #expectWhole(): void {
    for (const surveys of this.#served.splice(0)) {
      const pair = PAIR.map((name) => surveys.find(({ slug }) => slug === name)?.question).join();
      expect(this.#pairs).toContain(pair);
    }
  }

  #judge(author: ConsoleTab, before: Stored, after: Stored): void {
    for (const [slug, survey] of after.surveys) {
      const old = before.surveys.get(slug);
      // A removed survey returns only if the person asked for a new one.
      if (old === undefined)
        expect([author.who, slug, author.asNew.delete(slug)]).toEqual([author.who, slug, true]);
      else
        for (const field of FIELDS) {
          if (old[field] === survey[field]) continue;
          expect([author.who, slug, field, ...author.shown.of(slug, field)]).toContain(old[field]);
        }
    }
    expect([...before.surveys.keys()].filter((slug) => !after.surveys.has(slug))).toEqual([]);
    if (isAlike(before.order, after.order)) return;
    const isKnown = author.knownOrders.some((order) => isAlike(order, before.order));
    expect([author.who, isKnown, author.order, before.order]).toEqual([
      author.who,
      true,
      author.order,
      before.order,
    ]);
    author.knownOrders.push(after.order);
    author.order = after.order;
  }

  /** Everything that was typed is stored, is on the screen, or is restored when the page opens again. */
  expectKept(): void {
    if (this.#broken !== undefined) throw this.#broken.error;
    this.#expectWhole();
    for (const who of PEOPLE) {
      const tab = this.tabs[who];
      for (const [key, typed] of tab.typed) {
        const slugs = tab.slugsOf(key);
        const isIn = (survey: WrittenSurvey | undefined, field: string, value: unknown) =>
          Object.entries(survey ?? {}).some(([name, each]) => name === field && each === value);
        for (const [field, value] of typed) {
          if (slugs.some((slug) => isIn(this.#stored.surveys.get(slug), field, value))) typed.delete(field);
          else {
            const holder = [key, ...slugs].find((slug) => isIn(tab.keptDraft(slug)?.mine, field, value));
            expect([who, key, field, value, 'is kept', holder !== undefined]).toEqual([
              who,
              key,
              field,
              value,
              'is kept',
              true,
            ]);
            if (tab.place?.screen === 'editor' && tab.place.slug === holder && tab.editor !== undefined)
              expect([who, key, tab.editor.draft.mine]).toEqual([
                who,
                key,
                expect.objectContaining({ [field]: value }),
              ]);
          }
        }
      }
      // An erased survey that is created again is a different survey.
      const isThere = (slug: string) => this.#stored.surveys.has(slug);
      tab.order = tab.order.filter(isThere);
      tab.moved = tab.moved?.filter(isThere);
      const { moved } = tab;
      if (moved === undefined) continue;
      if (isAlike(moved, this.#stored.order)) tab.moved = undefined;
      else {
        for (const each of [tab.keptOrder(), tab.ordering?.ordering ?? tab.keptOrder()])
          expect([who, each, moved, isAlike(each?.mine ?? this.#stored.order, moved)]).toEqual([
            who,
            each,
            moved,
            true,
          ]);
      }
    }
  }

  async script(service: TestService, what: 'words' | 'order' | 'survey', slug: string): Promise<void> {
    const { revision, order } = this.#stored;
    const question = this.newWords('script');
    const slugs = what === 'words' ? PAIR : what === 'survey' ? [slug] : [];
    const surveys = slugs.map((each) => ({ slug: each, type: 'nps', question }));
    const body = { revision, surveys, ...(what === 'order' && { order: [...order].reverse() }) };
    const { secretKey } = this.#tenant;
    await this.change(async () => {
      await service.call(putDefinitions, { secretKey, body });
      if (what === 'words') this.#pairs.add([question, question].join());
    });
  }

  /** @param isCarriedOut if false, the definition is only marked */
  async purge(service: TestService, slug: string, isCarriedOut: boolean): Promise<void> {
    const { secretKey, project } = this.#tenant;
    await this.change(async () => {
      const surveyId = (this.#stored.sources[slug] as { id?: string } | undefined)?.id;
      const { status } = await service.call(erase, { secretKey, query: { surveySlug: slug } });
      if (status === 200 && surveyId !== undefined) this.#purged.push({ projectId: project.id, surveyId });
      // Meanwhile, visitors get neither of the two surveys.
      await this.read();
    });
    if (!isCarriedOut) return;
    for (const scope of this.#purged.splice(0))
      await this.change(() => purgedDefinitions(this.fresh.service).remove(scope));
  }

  async apply(slug: string, { isPulled, isForced }: { isPulled: boolean; isForced: boolean }): Promise<void> {
    const cli = createAdminCli({ table: this.fresh.table, clock: this.clock });
    const of = ['--project', this.#tenant.project.id, '-f', this.#file];
    if (isPulled || !existsSync(this.#file)) {
      expect((await cli.run('survey', 'pull', ...of)).status).toBe(0);
      for (const survey of this.#stored.surveys.values())
        for (const field of FIELDS) this.#pulled.see(survey.slug, field, survey[field]);
    }
    const text = readFileSync(this.#file, 'utf8');
    const asked = new RegExp(`(slug: ${slug}\\n(?: .*\\n)*? +question: ).*`);
    writeFileSync(this.#file, text.replace(asked, `$1${this.newWords('file')}`));
    const before = this.#stored;
    await this.change(() => cli.run('survey', 'apply', ...of, '--yes', ...(isForced ? ['--overwrite'] : [])));
    if (isForced) return;
    for (const [each, survey] of before.surveys) {
      // The owner of the file knows its content from git.
      if (before.sources[each]?.source === 'apply') continue;
      for (const field of FIELDS) {
        if (survey[field] === this.#stored.surveys.get(each)?.[field]) continue;
        expect(['file', each, field, ...this.#pulled.of(each, field)]).toContain(survey[field]);
      }
    }
  }

  async finish(who: Who): Promise<void> {
    const tab = this.tabs[who];
    await tab.letGo();
    await this.signIn(who);
    const around = { service: this.stale };
    for (const place of tab.kept()) {
      await tab.open(place, around);
      if (place.screen === 'order') {
        await tab.decideOrder('mine');
        await tab.storeOrder(around);
        await tab.decideOrder('mine');
        await tab.storeOrder(around);
        continue;
      }
      for (let tries = 1; tab.keptDraft(place.slug) !== undefined && tries <= 4; tries++) {
        const { editor } = tab;
        if (editor?.problems.some(({ path }) => path === 'slug'))
          await tab.type('slug', `${who}-${++this.#made}`);
        const status = editor?.draft.base?.status ?? 'draft';
        await tab.begin(around, { status, isOfStatus: false }, 'mine');
        await tab.confirm(around);
        await tab.decide('mine');
        await tab.confirm(around);
      }
    }
    this.expectKept();
    expect([who, tab.kept(), [...tab.typed.values()].flatMap((typed) => [...typed]), tab.moved]).toEqual([
      who,
      [],
      [],
      undefined,
    ]);
  }
}
