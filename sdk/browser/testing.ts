/** A client for the tests of a page. It shows the surveys a test wants and records answers, without a network. */

import type { AnswerDetail, Ask } from './client/ask.ts';
import { nameOf } from './client/eligibility.ts';
import { createEmitter } from './client/events.ts';
import type { Delivery, Follow, OwnButtons, RatingDetail } from './client/message-rating.ts';
import { notAsked } from './client/not-asked.ts';
import type { Canvass } from './client/options.ts';
import type { Asked, Binding, LocalisedSurvey } from './client/survey.ts';
import { completeSurvey, type FakeSurvey } from './fake-survey.ts';
import { localise } from './widget/question-texts.ts';

export type { AnswerDetail, Ask } from './client/ask.ts';
export type { Canvass } from './client/options.ts';
export type { Binding, LocalisedSurvey, Survey } from './client/survey.ts';
export type { FakeSurvey } from './fake-survey.ts';

/** A recorded answer. */
export interface FakeAnswer extends AnswerDetail {
  /** Slug of the survey. */
  readonly slug: string;
  /** On the survey's scale; thumbs: 0 or 1. */
  readonly rating: number;
  /** The rated message, for thumbs. */
  readonly binding?: Binding;
}

/** A client that records what was done and asks what a test wants. It also rates messages, like `headless`. */
export interface FakeCanvass extends Canvass, OwnButtons {
  /** All answers, oldest first. Changing a thumb adds one. */
  readonly answers: readonly FakeAnswer[];
  /** Slugs of the surveys that were dismissed. */
  readonly dismissals: readonly string[];
  /** Messages whose rating was withdrawn. */
  readonly withdrawals: readonly Binding[];
  /** People whom the page identified, with their traits, newest last. */
  readonly people: readonly {
    readonly userId: string | null | undefined;
    readonly traits?: object | undefined;
  }[];
  /** Events that the page reported with `track`, oldest first. */
  readonly tracked: readonly string[];
  /** Slugs that the page passed to `show`. */
  readonly shows: readonly string[];
  /** Slugs that the page passed to `open`. */
  readonly opens: readonly string[];
  /** Whether the page called `destroy`. */
  readonly destroyed: boolean;
  /** Asks this survey now: emits `ask`, and the test may answer. */
  ask(survey: FakeSurvey): Ask;
}

/**
 * Creates a client for tests.
 *
 * @param surveys that `show` finds; other slugs are reported as `unknown-slug`
 * @example
 * const canvass = createFakeCanvass();
 * canvass.on('ask', (ask) => ask.answer(9, { text: 'quick' }));
 * canvass.ask({ slug: 'after-checkout' });
 * expect(canvass.answers).toEqual([{ slug: 'after-checkout', rating: 9, text: 'quick' }]);
 */
export function createFakeCanvass({
  surveys = [],
}: {
  readonly surveys?: readonly FakeSurvey[];
} = {}): FakeCanvass {
  const { on, emit } = createEmitter();
  const answers: FakeAnswer[] = [];
  const dismissals: string[] = [];
  const withdrawals: Binding[] = [];
  const people: { userId: string | null | undefined; traits?: object | undefined }[] = [];
  const tracked: string[] = [];
  const shows: string[] = [];
  const opens: string[] = [];
  const messages = createFakeMessages();
  /** The first person who signed in, by token. */
  const owners = new Map<string, string>();
  let destroyed = false;

  const answered = (
    survey: LocalisedSurvey,
    rating: number,
    detail: AnswerDetail = {},
    binding?: Binding,
  ) => {
    answers.push({ slug: survey.slug, rating, ...detail, ...(binding && { binding }) });
    emit('answered', { survey, rating, ...(binding && { binding }) });
  };

  const ask = (wanted: FakeSurvey): Ask => {
    const said: Asked = {};
    const survey = localise(completeSurvey(wanted), 'en', said);
    let draft: readonly [number, AnswerDetail | undefined] | undefined;
    let ended = false;
    const end = (work: () => void) => {
      if (!ended) work();
      ended = true;
    };
    const asked: Ask = {
      survey,
      get drafted() {
        return draft !== undefined;
      },
      anonymous: !person(),
      shown: () => undefined,
      draft: (rating, detail) => {
        if (ended) return;
        draft = [rating, detail];
        said.rated = rating;
      },
      answer: (rating, detail) =>
        end(() => {
          said.rated = rating;
          answered(survey, rating, detail);
        }),
      dismiss: () =>
        end(() => {
          if (draft) return answered(survey, ...draft);
          dismissals.push(survey.slug);
          emit('dismissed', { survey });
        }),
    };
    emit('ask', asked);
    return asked;
  };

  const surveyOf = ({ surveyId, slug = surveyId }: Binding) =>
    localise(completeSurvey({ id: surveyId, slug, type: 'thumbs' }), 'en');

  const person = () => nameOf(people.at(-1)?.userId);
  const owns = ({ showToken = '' }: Binding) => {
    const owner = owners.get(showToken) || person();
    owners.set(showToken, owner);
    return !owner || owner === person();
  };
  const isWhole = (binding: Binding, ...names: readonly (keyof Binding)[]) => {
    const missing = names.find((name) => !binding[name]);
    if (missing) emit('error', { missing: [missing] });
    return !missing;
  };

  const messageOf = (given: Binding) => {
    const message = messages(given, person());
    const { binding } = message;
    const mayRate = () =>
      !destroyed && isWhole(binding, 'surveyId', 'showToken', 'sessionId') && owns(binding);
    owns(binding);
    return {
      ...message,
      async rate(rating: number, detail: RatingDetail = {}): Promise<Delivery> {
        if (!mayRate()) return { status: 'refused', surveyId: binding.surveyId, rating, ...detail, binding };
        if (message.say(rating, detail)) {
          answers.push({ slug: surveyOf(binding).slug, rating, ...detail, binding });
          emit('rated', { rating, ...detail, binding });
        }
        return { status: 'stored' };
      },
      withdraw() {
        if (!mayRate() || !message.say(undefined)) return;
        withdrawals.push(binding);
        emit('withdrawn', { survey: surveyOf(binding), binding });
      },
    };
  };

  const follow = (given: Binding, told: Follow) => {
    if (!isWhole(given, 'surveyId')) return;
    const { rating, hear, rate, withdraw } = messageOf(given);
    const tell = () => told({ rating: rating(), pending: false, rate, withdraw });
    if (tell() !== false) hear(tell);
  };

  /** Test code finds the buttons by name. */
  const draw = (given: Binding, place: Element) => {
    if (!isWhole(given, 'surveyId')) return;
    const { binding, rating, say, hear, withdraw } = messageOf(given);
    const survey = surveyOf(binding);
    if (!binding.showToken) return emit('notshown', { slug: survey.slug, reason: 'no-token' });
    if (!isWhole(binding, 'sessionId')) return;
    const buttons = ['Thumbs down', 'Thumbs up'].map((name, value) => {
      const button = place.ownerDocument.createElement('button');
      button.type = 'button';
      button.setAttribute('aria-label', name);
      button.addEventListener('click', () => {
        if (destroyed || !owns(binding)) place.replaceChildren();
        else if (rating() === value) withdraw();
        else if (say(value)) answered(survey, value, {}, binding);
      });
      return button;
    });
    const press = () => {
      for (const [value, button] of buttons.entries())
        button.setAttribute('aria-pressed', String(rating() === value));
    };
    hear(press);
    press();
    place.replaceChildren(...buttons.toReversed());
  };

  const find = (slug: string) => {
    const survey = surveys.find((one) => one.slug === slug);
    if (survey) ask(survey);
    else emit('notshown', { slug, reason: 'unknown-slug' });
  };

  return {
    answers,
    dismissals,
    withdrawals,
    people,
    tracked,
    shows,
    opens,
    get destroyed() {
      return destroyed;
    },
    ask,
    on,
    rate: async (binding, ...given) => (binding ? messageOf(binding).rate(...given) : notAsked()),
    withdraw: (binding) => messageOf(binding).withdraw(),
    ratingOf: (binding) => binding && messages(binding, person()).rating(),
    identify: (userId, traits) => void people.push({ userId, traits }),
    track: (event) => void tracked.push(event),
    show(slug) {
      shows.push(slug);
      find(slug);
    },
    open(slug) {
      opens.push(slug);
      find(slug);
      return true;
    },
    bind(binding, place) {
      if (!binding) return;
      if (typeof place === 'function') follow(binding, place);
      else if (place) draw(binding, place);
      else if (binding.showToken && isWhole(binding, 'sessionId'))
        ask({ id: binding.surveyId, slug: binding.slug ?? binding.surveyId });
    },
    preview: (slug) => void ask(surveys.find((one) => one.slug === slug) ?? { slug }),
    destroy() {
      destroyed = true;
    },
  };
}

/** A message whose rating a test can change. */
export interface FakeMessage {
  /** Changing a rating needs no token. */
  readonly binding: Binding;
  /** Absent if it was not rated. */
  readonly rating: () => number | undefined;
  /** @returns whether the rating changed */
  readonly say: (rating: number | undefined, detail?: RatingDetail) => boolean;
  /** @param heard returns `false` to stop */
  readonly hear: (heard: () => unknown) => void;
}

const messageOf = ({ surveyId, sessionId, traceId, observationId }: Binding): string =>
  JSON.stringify([surveyId, sessionId, traceId, observationId]);

/** All buttons of a message share one object. */
export function createFakeMessages(): (binding: Binding, person: string) => FakeMessage {
  const messages = new Map<string, Omit<FakeMessage, 'binding'>>();
  const bindings = new Map<string, Binding>();
  const create = (): Omit<FakeMessage, 'binding'> => {
    const hearers = new Set<() => unknown>();
    let rating: number | undefined;
    let said = '[]';
    return {
      rating: () => rating,
      say(wanted, { text, reasons, answers } = {}) {
        const now = wanted === undefined ? '[]' : JSON.stringify([wanted, text, reasons, answers]);
        if (now === said) return false;
        said = now;
        rating = wanted;
        for (const hear of [...hearers]) if (hear() === false) hearers.delete(hear);
        return true;
      },
      hear: (heard) => hearers.add(heard),
    };
  };
  return (binding, person) => {
    const name = `${messageOf(binding)}${person}`;
    const message = messages.get(name) ?? create();
    messages.set(name, message);
    const known = bindings.get(name) ?? binding;
    return {
      ...message,
      binding: known,
      say(...given) {
        const isSaid = message.say(...given);
        if (isSaid) bindings.set(name, known);
        return isSaid;
      },
    };
  };
}
