/** For developers, fetched only when asked for: says what is asked and why not, and previews surveys. */

import type { Emitter, Reason } from './events.ts';
import { TYPES } from './offers.ts';
import type { ClientOptions } from './options.ts';
import type { Client, Current } from './parts.ts';
import type { State } from './storage.ts';

const REASONS: Readonly<Record<Reason, string>> = {
  'unknown-slug': 'the service lists no active survey of this name.',
  suppressed: 'this person has answered or dismissed it. To see it all the same: canvass.preview(slug).',
  'no-token':
    'the service issued no token: quiet period, monthly cap, maximum, a survey that needs bind(), ' +
    'or a project that requires a userToken. ' +
    '`admin survey why` says which.',
  targeting: 'the traits of this person do not fit its targeting.',
  'sampled-out': 'this person is not in its sample.',
  page: 'the address is none of its pages.',
  'no-place': 'the page has no element with data-canvass="slug" for it.',
  'other-open': 'another survey is open.',
  'not-thumbs': 'a survey of another type than thumbs goes into no element: call bind() without one.',
  'not-due': 'it waits for its event, its delay, a pause in input, the end of a modal dialog, and its turn.',
};

/** Logs every decision to the console. */
export function log(on: Emitter['on'], { key, baseUrl }: Partial<ClientOptions>): void {
  const say = (...line: unknown[]) => console.info('[canvass]', ...line);
  if (!key) say('the option key is missing: the publishable key of the project.');
  if (typeof baseUrl !== 'string') say('the option baseUrl is missing: the address of the service.');
  else if (!/^https?:/.test(baseUrl))
    say(`baseUrl "${baseUrl}" has no https://, so it is a path of this page.`);
  on('ask', ({ survey }) => say(`"${survey.slug}" is being asked.`));
  on('shown', ({ survey }) => say(`"${survey.slug}" is on screen.`));
  on('notshown', ({ slug, reason }) => say(`"${slug}" is not shown (${reason}): ${REASONS[reason]}`));
  on('answered', ({ survey, rating }) => say(`"${survey.slug}" was answered with ${rating}.`));
  on('withdrawn', ({ survey, binding: { slug, surveyId } }) =>
    say(`the rating of "${survey?.slug ?? slug ?? surveyId}" was taken back.`),
  );
  on('dismissed', ({ survey }) => say(`"${survey.slug}" was dismissed.`));
  on('error', ({ status, code, missing, cause }) => {
    const thrown = cause === undefined ? [] : [cause];
    if (status === undefined && missing) return say(`bind() was refused: no ${missing.join(', ')}.`);
    if (status === undefined) return say('failed:', ...thrown);
    if (status === 0) return say(`no reply came from ${baseUrl}.`, ...thrown);
    if (!code && status < 500 && status !== 413 && status !== 429)
      return say(`something answered ${status}; is ${baseUrl} the address of the service?`, ...thrown);
    const came = missing?.length ? ` It came without ${missing.join(', ')}.` : '';
    say(`the service answered ${status}${code ? ` ${code}` : ''}.${came}`);
  });
}

const NOTHING: State = { seen: {}, outbox: [], wait: 0 };

/** Shows a survey without a token: the service is asked for nobody, and told nothing. */
export async function preview(slug: string, client: Client): Promise<void> {
  const { emit, post, options, load, placeOf } = client;
  const { status, data } = await post('/v1/sdk/bootstrap', { key: options.key, types: TYPES });
  if (!data.surveys) return emit('error', { status, code: data.error?.code });
  const survey = data.surveys.find((listed) => listed.slug === slug);
  if (!survey) return emit('notshown', { slug, reason: 'unknown-slug' });
  const place = placeOf(survey);
  if (!place) return emit('notshown', { slug, reason: 'no-place' });
  const { createAsking } = await load('widget');
  const current: Current = { survey, place, binding: undefined };
  let isOpen = true;
  const forgetful: Client = {
    ...client,
    post: async () => ({ status: 200, data: { ok: true } }),
    storage: { read: () => NOTHING, update: () => NOTHING },
    offers: { ...client.offers, told: () => ({}) },
    emit(event, detail) {
      if (event === 'ask' || event === 'shown') emit(event, detail);
    },
    isOpen: () => isOpen && !client.signal.aborted,
    close() {
      isOpen = false;
    },
  };
  const { open } = await createAsking(forgetful);
  await open(current);
}
