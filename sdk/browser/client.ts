import type { Asking } from './asking.ts';
import { createEmitter, type Reason } from './events.ts';
import { createIdleWait, hasModal } from './idle-wait.ts';
import { createOffers } from './offers.ts';
import type { Binding, Canvass, Client, ClientOptions, Current, Loaders, Person } from './options.ts';
import { createPost } from './post.ts';
import { createStorage } from './storage.ts';
import type { Survey } from './wire.ts';

/**
 * Decides who is asked what and when, one survey at a time.
 *
 * @param headless whether the page itself draws what is asked, and so finds the place for each survey
 */
export function createClient(options: ClientOptions, loaders: Loaders, headless = false): Canvass {
  const { key } = options;
  const { on, emit } = createEmitter();
  // Its `signal` is what listeners are added with.
  const lifetime = new AbortController();
  const { signal } = lifetime;
  const storage = createStorage(`canvass.${key}`, options.storage ?? true);
  const post = createPost(options.baseUrl, storage);
  const person: Person = {
    name: '',
    traits: {},
    id: () => person.name || (storage.read().device ?? storage.update({ device: newDevice() }).device ?? ''),
  };

  let asking: Asking | undefined;
  let bindings: Record<string, Binding> = {};
  let current: Current | undefined;
  let wanted: string | undefined;
  let turn = 0;
  let idleWait: ReturnType<typeof createIdleWait>;
  let logging: Promise<unknown> | undefined;

  const failed = (cause: unknown) => emit('error', { cause });
  const notShown = (slug: string, reason: Reason) => emit('notshown', { slug, reason });
  const client: Client = {
    options,
    storage,
    post,
    person,
    emit,
    signal,
    tools: loaders.tools,
    placeOf: ({ presentation, slug }) =>
      document.querySelector(headless || presentation !== 'inline' ? 'html' : `[data-canvass="${slug}"]`),
    isOpen: (one) => one === current,
    close({ survey }) {
      current = undefined;
      offers.forget();
      delete bindings[survey.id];
    },
  };
  const startAsking = async (): Promise<Asking> => {
    const { createAsking, present } = await loaders.tools();
    asking ??= createAsking(client, present);
    return asking;
  };
  const flush = async () => {
    if (storage.read().outbox.length > 0) await startAsking().then((started) => started.flush(), failed);
  };
  const offers = createOffers(key, person, storage, flush, post);

  /** Takes the open survey away without a decision; a draft is sent. */
  const leave = () => {
    const left = current;
    if (left?.ask?.drafted) left.ask.dismiss();
    current = undefined;
    offers.forget();
    left?.view?.remove();
  };

  /** @returns whether the survey is being asked now */
  const ask = (survey: Survey): boolean => {
    const { id, slug } = survey;
    const binding = bindings[id];
    const place = client.placeOf(survey);
    const reason = current ? 'other-open' : offers.refusal(survey, binding);
    if (reason || !place) {
      notShown(slug, reason ?? 'no-place');
      return false;
    }
    const mine: Current = {
      survey,
      place,
      binding,
      token: offers.tokenOf(survey),
      mark: offers.markOf(survey),
    };
    current = mine;
    startAsking()
      .then(({ open }) => open(mine))
      .catch((cause) => {
        leave();
        failed(cause);
      });
    return true;
  };

  const askInTurn = ([first, ...others]: Survey[]): void => {
    if (first) idleWait(first.delayMs, () => ask(first) || askInTurn(others));
  };

  const decide = async (mine: number): Promise<void> => {
    // At least until the caller has said all it has to say.
    await logging;
    if (mine !== turn) return;
    if (current?.view?.host.isConnected === false) leave();
    idleWait();
    const reply = await offers.fetch();
    if (!reply || mine !== turn) return;
    const slug = wanted;
    wanted = undefined;
    const { surveys, error } = reply.data;
    if (!surveys) {
      offers.forget();
      return emit('error', { status: reply.status, code: error?.code });
    }
    const named = surveys.find((survey) => survey.slug === slug);
    if (named && hasModal()) return idleWait(0, () => ask(named));
    if (named && ask(named)) return;
    if (slug && !named) notShown(slug, 'unknown-slug');
    const due = surveys.filter((survey) => {
      if (survey.trigger !== 'auto') return false;
      const reason = offers.refusal(survey, bindings[survey.id]);
      notShown(survey.slug, reason ?? 'not-due');
      return !reason;
    });
    askInTurn(due);
  };
  /** Decides what to ask, if anything. */
  const consider = () => {
    turn++;
    if (!signal.aborted) decide(turn).catch(failed);
  };
  const sendDraft = () => {
    if (current?.ask?.drafted) leave();
  };
  const followOtherTabs = () => {
    // What a bound token asks, it asks again whatever was answered before.
    if (current && !current.binding && !current.ask?.drafted && offers.isSeen(current.survey)) leave();
    void flush();
  };

  if (typeof document === 'undefined') lifetime.abort();
  else {
    idleWait = createIdleWait(options.idleMs ?? 2_000, consider, signal);
    addEventListener('pagehide', sendDraft, lifetime);
    addEventListener('storage', followOtherTabs, lifetime);
    if (options.debug) logging = loaders.debug().then(({ log }) => log(on), failed);
  }

  const identify: Canvass['identify'] = (userId, traits) => {
    const name = `${userId ?? ''}`;
    if (name !== person.name) {
      leave();
      if (person.name) bindings = {};
      person.name = name;
    }
    person.traits = traits ?? {};
    consider();
  };
  identify(options.userId, options.traits);

  return {
    on,
    identify,
    show(slug) {
      wanted = slug;
      consider();
    },
    bind(binding) {
      if (!binding?.showToken) return;
      if (!binding.sessionId) return emit('error', { missing: ['sessionId'] });
      bindings[binding.surveyId] = binding;
      consider();
    },
    preview(slug) {
      loaders
        .debug()
        .then(({ preview }) => preview(slug, client))
        .catch(failed);
    },
    destroy() {
      leave();
      turn++;
      lifetime.abort();
    },
  };
}

const newDevice = () => `${Date.now()}${Math.random()}`;
