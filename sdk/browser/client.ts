import type { Ask } from './ask.ts';
import { createDelivery, type Reply } from './delivery.ts';
import { createEmitter } from './events.ts';
import { createMoment } from './moment.ts';
import type { Binding, Canvass, ClientOptions, Kit } from './options.ts';
import { stickyHash } from './sampling.ts';
import { isTargeted } from './targeting.ts';
import { FRESH_MS } from './times.ts';
import type { DismissalBody, ResponseBody, Survey, Traits } from './wire.ts';

type Body<T> = { [K in keyof T]: T[K] | undefined };

interface Current {
  /** Of respondent and survey; `true` where these were seen before. */
  readonly mark: number | true;
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

  let bindings: Record<string, Binding> = {};
  let user = '';
  let traits: Traits;
  let wish: string | undefined;
  let offer: Promise<Reply> | undefined;
  let tokens: Readonly<Record<string, string>> = {};
  let current: Current | undefined;
  let wait: ReturnType<typeof createMoment>;

  const respondent = () =>
    (user || read().device || update({ device: `${Date.now()}${Math.random()}` }).device) as string;
  const markOf = (survey: Survey) => stickyHash(respondent(), survey.id);
  const isSeen = (mark: number | true | undefined) => read().seen.includes(mark as number);
  const mayAsk = (survey: Survey) => bindings[survey.id] || (tokens[survey.id] && !isSeen(markOf(survey)));
  const placeOf = (survey: Survey) =>
    anywhere || survey.presentation !== 'inline'
      ? document.body
      : document.querySelector(`[data-canvass="${survey.slug}"]`);

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
    const { surveys } = reply.data;
    tokens = reply.data.showTokens ?? {};
    if (!surveys) {
      offer = wish = undefined;
      return refused(reply);
    }
    // The service decides who may be asked, by its tokens; targeting and sampling are ours to apply.
    const open = surveys.filter(
      (survey) =>
        mayAsk(survey) &&
        isTargeted(traits, survey.targeting) &&
        markOf(survey) % 100 < (survey.samplePercent ?? 100),
    );
    const named = open.find((survey) => survey.slug === wish);
    wish = undefined;
    if (named && placeOf(named)) return show(named);
    const inTurn = ([first, ...others]: Survey[]): void =>
      first && wait(first.delayMs, () => (placeOf(first) ? show(first).catch(broken) : inTurn(others)));
    inTurn(open.filter(({ trigger }) => trigger === 'auto'));
  };

  const show = async (survey: Survey): Promise<void> => {
    const { id: surveyId } = survey;
    const mark = markOf(survey);
    const binding = bindings[surveyId];
    const place = placeOf(survey);
    // While it waited, another tab may have asked, or the page have changed or ended.
    if (!mayAsk(survey) || !place || current || signal.aborted) return;
    const mine: Current = { mark: isSeen(mark) || mark };
    current = mine;
    const { openAsk, present } = await load();
    if (current !== mine) return;
    const common = {
      key,
      surveyId,
      showToken: tokens[surveyId] as string,
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
  /** Decides what to ask, if anything: soon, when the caller has said all it has to say. */
  const consider = () => queueMicrotask(() => decide().catch(broken));
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
    addEventListener('storage', () => isSeen(current?.mark) && !current?.ask?.drafted && leave(), listening);
  }

  const identify: Canvass['identify'] = (userId, newTraits) => {
    const told = `${userId ?? ''}`;
    if (told !== user) {
      leave();
      if (user) bindings = {};
      user = told;
    }
    traits = newTraits ?? {};
    consider();
  };
  identify(options.userId, options.traits);

  return {
    on,
    identify,
    show(slug) {
      wish = slug;
      consider();
    },
    bind(binding) {
      if (binding?.showToken) bindings[binding.surveyId] = binding;
      consider();
    },
    destroy() {
      leave();
      listening.abort();
    },
  };
}
