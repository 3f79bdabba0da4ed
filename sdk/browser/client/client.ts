import { createChooser } from './chooser.ts';
import { createEligibility, nameOf, type Person } from './eligibility.ts';
import { createEmitter } from './events.ts';
import type { Asker, Client, Current, Load, Modules, OwnEvents, Source } from './modules.ts';
import type { Canvass, ClientOptions } from './options.ts';
import { createPost } from './post.ts';
import { createStorage } from './storage.ts';
import type { Binding, Survey } from './survey.ts';

/**
 * @param source fetches modules
 * @param own for pages that draw surveys, and so find their places
 */
export function createClient(options: ClientOptions, source: Source): Canvass;
export function createClient<Own>(
  options: ClientOptions,
  source: Source,
  own: (client: Client) => Own,
): Canvass & Own;
export function createClient(
  options: ClientOptions,
  source: Source,
  own?: (client: Client) => object,
): Canvass {
  options = Object(options);
  const { on, emit } = createEmitter<OwnEvents>();
  const lifetime = new AbortController();
  const { signal } = lifetime;
  // On the page of a draft preview, nothing else is sent or stored.
  const isTrial = `${globalThis.location}`.includes('canvass-preview=');
  const stored = (area: 'localStorage' | 'sessionStorage') =>
    createStorage(`canvass.${options.key}`, !isTrial && options.storage !== false, area);
  const storage = stored('localStorage');
  const visit = stored('sessionStorage');
  const post = isTrial ? () => new Promise<never>(() => {}) : createPost(options.baseUrl, storage);
  const person: Person = {
    name: '',
    traits: {},
    id: () =>
      person.name ||
      (storage.read().device ?? storage.update({ device: `${Math.random()}${Date.now()}` }).device ?? ''),
  };

  let asking: Promise<Asker> | undefined;
  let bindings: Record<string, Binding> = {};
  let current: Current | undefined;

  const failed = (cause: unknown) => emit('error', { cause });
  const loaded: Partial<Record<keyof Modules, Promise<never>>> = {};
  /** Retries after a network failure, or after a deployment removed a file. */
  const insist = <N extends keyof Modules>(name: N, fault?: unknown): Promise<Modules[N]> =>
    source(name, fault).catch(async (cause) => {
      failed(cause);
      await new Promise((again) => on('again', again));
      return insist(name, cause);
    });
  const load: Load = (name) => {
    emit('again', 0);
    loaded[name] ??= insist(name) as Promise<never>;
    return loaded[name];
  };
  const startAsking = (): Promise<Asker> => {
    // Thumbs may have loaded the shared kit.
    if (!own) loaded.kit ??= load('widget') as Promise<never>;
    asking ??= load(loaded.widget ? 'widget' : 'bare').then(({ mount }) => mount(client));
    return asking;
  };
  const isOpen = (one: Current) => one === current;
  const flush = () => storage.read().outbox[0] && startAsking().then((started) => started.flush(), failed);
  const conditions = (slug?: string) =>
    load('conditions').then(({ mount }) => mount(client, on, consider, slug));
  const eligibility = createEligibility(options.key, person, storage, signal, flush, post, conditions);
  const client: Client = {
    options,
    storage,
    visit,
    post,
    eligibility,
    person,
    emit,
    signal,
    load,
    placeOf: ({ presentation, slug }) =>
      document.querySelector(own || presentation !== 'inline' ? 'html' : `[data-canvass="${slug}"]`),
    isOpen,
    endAsk({ survey }) {
      current = undefined;
      eligibility.forget();
      delete bindings[survey.id];
    },
  };

  const leave = () => {
    const left = current;
    if (left?.ask?.drafted) left.ask.dismiss();
    current = undefined;
    eligibility.forget();
    left?.view?.remove();
  };

  const refusal = (survey: Survey) => eligibility.refusal(survey, bindings[survey.id]);
  const ask = (survey: Survey): unknown => {
    const place = client.placeOf(survey);
    const reason = current ? 'other-open' : refusal(survey);
    if (!place || reason) {
      return emit('notshown', { slug: survey.slug, reason: reason ?? 'no-place' });
    }
    const mine: Current = { survey, place, bound: bindings[survey.id], person };
    current = mine;
    return startAsking()
      .then(async ({ open }) => {
        // The service's reply may have changed in the meantime.
        if (isOpen(mine)) await eligibility.fetch();
        if (isOpen(mine) && refusal(survey)) {
          current = undefined;
          ask(survey);
        } else await open(mine);
      })
      .catch((cause) => {
        if (isOpen(mine)) leave();
        failed(cause);
      });
  };

  if (!globalThis.document) lifetime.abort();
  else {
    addEventListener('pagehide', () => current?.ask?.drafted && leave(), lifetime);
    // Another tab may have sent an answer. Surveys of bound tokens are asked anyway.
    const followOtherTabs = () => {
      if (current && !current.bound && !current.ask?.drafted && eligibility.isSeen(current.survey)) leave();
      void flush();
    };
    addEventListener('storage', followOtherTabs, lifetime);
  }
  const logging = options.debug && source('debug').then(({ log }) => log(on, options), failed);
  const prepare = () => {
    if (current && !(current.view?.host ?? current.place).isConnected) leave();
    emit('again', 0);
    return logging;
  };
  const consider = createChooser(client, eligibility, prepare, refusal, ask);

  const preview = (slug?: string, wrongId?: unknown) => run(load('debug'), slug, wrongId);
  const run = <Given extends unknown[]>(
    module: Promise<{ mount(client: Client, ...given: Given): unknown }>,
    ...given: Given
  ): void => void module.then(({ mount }) => mount(client, ...given)).catch(failed);

  const identify: Canvass['identify'] = (userId, traits, userToken) => {
    const name = nameOf(userId);
    if (name !== person.name) {
      leave();
      if (person.name) bindings = {};
      person.name = name;
      person.token = undefined;
    }
    person.traits = Object(traits);
    if (userToken && !person.token) eligibility.forget();
    person.token = userToken ?? person.token;
    if (`${userId ?? ''}` > name) preview(name, userId);
    consider();
  };
  identify(options.userId, options.traits, options.userToken);

  if (isTrial) preview();

  return {
    on,
    identify,
    show: consider,
    open(slug) {
      void conditions(slug);
      return !!person.name || options.storage !== false;
    },
    bind(binding, place) {
      if (place) return run(load('bind' in place ? 'own' : 'thumbs'), binding, place, person.name);
      if (!binding?.showToken) return;
      if (!binding.sessionId) return emit('error', { missing: ['sessionId'] });
      bindings[binding.surveyId] = binding;
      consider();
    },
    track(event) {
      visit.update({ events: [...visit.read().events, event].slice(-1_000) });
      emit('track', event);
    },
    preview,
    ...own?.(client),
    destroy() {
      leave();
      lifetime.abort();
      consider();
    },
  };
}
