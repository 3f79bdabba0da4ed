import type { Ask } from './ask.ts';
import { createDelivery, type Reply } from './delivery.ts';
import { createEmitter } from './events.ts';
import { createMoment } from './moment.ts';
import type { Binding, Canvass, ClientOptions, Kit } from './options.ts';
import { stickyHash } from './sampling.ts';
import { isTargeted } from './targeting.ts';
import type { DismissalBody, ResponseBody, Survey } from './wire.ts';

/** An offer older than this is asked for anew, milliseconds: the person may have answered elsewhere since. */
const FRESH_MS = 1_800_000;

type Body<T> = { [K in keyof T]: T[K] | undefined };

interface Current {
  readonly mark: number;
  ask?: Ask;
  drawn?: Element | undefined;
}

/**
 * Decides who is asked what and when, one ask at a time.
 *
 * @param load fetches what is needed only when a survey is about to be shown
 * @param anywhere whether the page itself finds the place for each survey
 */
export function createClient(options: ClientOptions, load: () => Promise<Kit>, anywhere?: boolean): Canvass {
  const { key } = options;
  const { on, emit } = createEmitter();
  // Its `signal` is what listeners are added with.
  const listening = new AbortController();
  const { signal } = listening;
  const refused = ({ status, data }: Reply) => emit('error', { status, code: data.error?.code });
  const { read, update, post, put, flush } = createDelivery(
    `canvass.${key}`,
    options.storage ?? true,
    options.baseUrl,
    refused,
    signal,
  );
  const bindings: Record<string, Binding> = {};

  let { userId: user = '', traits = {} } = options;
  let wish: string | undefined;
  let offer: Promise<Reply> | undefined;
  let current: Current | undefined;
  let wait: ReturnType<typeof createMoment>;

  const respondent = () => {
    if (!user && !read().device) update({ device: `${Date.now()}-${Math.random()}` });
    return user || read().device || '';
  };
  const markOf = ({ id }: Survey) => stickyHash(respondent(), id);
  const isSeen = (mark: number) => read().seen.includes(mark);
  /** The place for a survey that this person has a token for. */
  const placeOf = (survey: Survey, token: string | undefined) =>
    (bindings[survey.id] || (token && !isSeen(markOf(survey)))) &&
    (anywhere || survey.presentation !== 'inline'
      ? document.body
      : document.querySelector(`[data-canvass="${survey.slug}"]`));

  const bootstrap = async () => {
    // First what was answered here, so that the service knows of it when it decides what may be asked.
    await flush();
    setTimeout(() => {
      offer = undefined;
    }, FRESH_MS);
    return post('/v1/sdk/bootstrap', { key, userId: respondent() }, 0);
  };

  const decide = async (): Promise<void> => {
    if (current?.drawn?.isConnected === false) leave();
    if (signal.aborted || current) {
      wish = undefined;
      return;
    }
    wait();
    offer ??= bootstrap();
    const mine = offer;
    const reply = await mine;
    if (mine !== offer || current) return;
    const { surveys, showTokens = {} } = reply.data;
    if (!surveys) {
      offer = undefined;
      return refused(reply);
    }
    const ask = (survey: Survey) => show(survey, showTokens[survey.id] ?? '').catch(broken);
    // The service decides who may be asked, by its tokens; targeting and sampling are ours to apply.
    const open = surveys.filter(
      (survey) =>
        placeOf(survey, showTokens[survey.id]) &&
        isTargeted(traits, survey.targeting) &&
        markOf(survey) % 100 < (survey.samplePercent ?? 100),
    );
    const named = open.find((survey) => survey.slug === wish);
    wish = undefined;
    if (named) return ask(named);
    const first = open.find(({ trigger }) => trigger === 'auto');
    if (first) wait(first.delayMs, () => ask(first));
  };

  const show = async (survey: Survey, showToken: string): Promise<void> => {
    const { id: surveyId } = survey;
    const mark = markOf(survey);
    const binding = bindings[surveyId];
    const place = placeOf(survey, showToken);
    // While it waited, another tab may have asked, or the page have changed or ended.
    if (!place || current || signal.aborted) return;
    const mine: Current = { mark };
    current = mine;
    const { openAsk, present } = await load();
    if (current !== mine) return;
    const common = {
      key,
      surveyId,
      showToken,
      userId: respondent(),
      // Of a bound token's respondent only the server knows what it is.
      identityKind: user ? 'identified' : binding ? undefined : 'anon-device',
      ...binding,
    } satisfies Body<Omit<ResponseBody, 'rating'>> & DismissalBody;
    const ask = openAsk({
      ...options,
      survey,
      traits,
      isOpen: () => current === mine,
      send(path, content, holdMs, again) {
        // With the first draft already: two tabs must not both answer.
        if (!again) update({ seen: [...read().seen, mark] });
        put(common.showToken, path, { ...common, ...content }, holdMs, again);
      },
      end(rating) {
        current = offer = undefined;
        delete bindings[surveyId];
        emit(rating === undefined ? 'dismissed' : 'answered', { survey: ask.survey, rating });
      },
    });
    mine.ask = ask;
    mine.drawn = present?.(ask, place, options, signal);
    emit('ask', ask);
  };

  const broken = (cause: unknown) => {
    current = undefined;
    emit('error', { cause });
  };
  /** Decides what to ask now, if anything. */
  const consider = () => decide().catch(broken);
  /** Takes an open ask away without a decision; a draft is sent. */
  const leave = () => {
    const left = current;
    if (left?.ask?.drafted) left.ask.dismiss();
    current = offer = undefined;
    left?.drawn?.remove();
  };

  if (typeof document === 'undefined') listening.abort();
  else {
    wait = createMoment(options.idleMs ?? 2_000, consider, signal);
    addEventListener('pagehide', () => current?.ask?.drafted && leave(), listening);
    addEventListener(
      'storage',
      () => current && !current.ask?.drafted && isSeen(current.mark) && leave(),
      listening,
    );
    // Not before the caller has said all it has to say.
    queueMicrotask(consider);
  }

  return {
    on,
    identify(userId, newTraits = {}) {
      if ((userId || '') !== user) {
        leave();
        user = userId || '';
      }
      traits = newTraits;
      void consider();
    },
    show(slug) {
      wish = slug;
      void consider();
    },
    bind(binding) {
      bindings[binding.surveyId] = binding;
      void consider();
    },
    destroy() {
      leave();
      listening.abort();
    },
  };
}
