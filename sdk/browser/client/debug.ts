/** Loaded on demand. Logs why surveys are asked or not, and previews them. */

import { CAPABILITIES } from './eligibility.ts';
import type { Emitter, Reason } from './events.ts';
import type { Client, Current } from './modules.ts';
import type { ClientOptions } from './options.ts';
import { createPost } from './post.ts';
import type { ClientStorage, State } from './storage.ts';
import type { Survey } from './survey.ts';
import { PLACE_MS } from './times.ts';

export { notAsked } from './not-asked.ts';

const REASONS: Readonly<Record<Reason, string>> = {
  'unknown-slug': 'no active survey has this slug.',
  suppressed: 'this person has answered or dismissed it. To see it anyway, call canvass.preview(slug).',
  'no-token':
    'the service issued no token: quiet period, monthly cap, maximum, a survey that needs bind() or open(), ' +
    'or a project that requires a userToken. ' +
    '`admin survey why` shows the reason.',
  targeting: "this person's traits do not match its targeting.",
  'sampled-out': 'this person is not in its sample.',
  page: 'it is not meant for this page.',
  'no-place': 'the page has no element with data-canvass="slug" for it.',
  'other-open': 'another survey is open.',
  'not-thumbs': 'only thumbs can be bound to an element: call bind() without one.',
  'not-due': 'it waits for its event, its delay, a pause in input, the end of a modal dialog, or its turn.',
};

export function log(on: Emitter['on'], { key, baseUrl }: Partial<ClientOptions>): void {
  const say = (...line: unknown[]) => console.info('[canvass]', ...line);
  if (!key) say('the option key is missing: set the publishable key of the project.');
  if (typeof baseUrl !== 'string') say('the option baseUrl is missing: set the address of the service.');
  else if (!/^https?:/.test(baseUrl))
    say(`baseUrl "${baseUrl}" does not begin with https://, so it is a path of this page.`);
  on('ask', ({ survey }) => say(`"${survey.slug}" is being asked.`));
  on('shown', ({ survey }) => say(`"${survey.slug}" is on screen.`));
  on('notshown', ({ slug, reason }) => say(`"${slug}" is not shown (${reason}): ${REASONS[reason]}`));
  on('answered', ({ survey, rating }) => say(`"${survey.slug}" was answered with ${rating}.`));
  on('withdrawn', ({ survey, binding: { slug, surveyId } }) =>
    say(`the rating of "${survey?.slug ?? slug ?? surveyId}" was withdrawn.`),
  );
  on('dismissed', ({ survey }) => say(`"${survey.slug}" was dismissed.`));
  on('error', ({ status, code, missing, cause }) => {
    const thrown = cause === undefined ? [] : [cause];
    if (status === undefined && missing)
      return say(`bind() failed: the binding has no ${missing.join(', ')}.`);
    if (status === undefined) return say('failed:', ...thrown);
    if (status === 0) return say(`no reply came from ${baseUrl}.`, ...thrown);
    if (!code && status < 500 && status !== 413 && status !== 429)
      return say(`the reply (${status}) is not from the service. Is ${baseUrl} its address?`, ...thrown);
    const came = missing?.length ? ` Missing: ${missing.join(', ')}.` : '';
    say(`the service answered ${status}${code ? ` ${code}` : ''}.${came}`);
  });
}

/** An id of another kind would make everybody the same person. */
function refuse(emit: Emitter['emit'], userId: unknown): void {
  const cause = new TypeError(
    `[canvass] userId must be a text that identifies one person, not ${typeof userId === 'string' ? JSON.stringify(userId) : `a ${typeof userId}`}. Nobody is signed in.`,
  );
  console.warn(cause.message);
  emit('error', { cause });
}

const NOTHING: State = { seen: {}, outbox: [], events: [], wait: 0 };
const FORGETFUL: ClientStorage = { read: () => NOTHING, update: () => NOTHING };

/** The page may draw the place late. */
async function placeOf(survey: Survey, client: Client): Promise<Element | null> {
  let place = client.placeOf(survey);
  while (!place && !client.signal.aborted) {
    await new Promise((later) => setTimeout(later, PLACE_MS));
    place = client.placeOf(survey);
  }
  return place;
}

/**
 * Uses no token and reports nothing about a person.
 *
 * @param slug of an active survey; otherwise the draft in the page's address
 * @param wrongId an id that names nobody: warns about it
 */
export async function mount(client: Client, slug?: string, wrongId?: unknown): Promise<void> {
  const { emit, options, load } = client;
  if (wrongId !== undefined) return refuse(emit, wrongId);
  const isDraft = slug === undefined;
  const token = isDraft ? (new URLSearchParams(location.search).get('canvass-preview') ?? '') : undefined;
  const asked = { key: options.key, types: CAPABILITIES, preview: token };
  const post = createPost(options.baseUrl, FORGETFUL);
  const { status, data, cause } = await post('/v1/sdk/bootstrap', asked);
  // Older services without previews return all surveys.
  if (!data.surveys || (isDraft && !data.preview)) {
    if (isDraft) console.info('[canvass]', 'this preview does not exist or has expired after an hour.');
    return emit('error', { status, code: data.error?.code, cause });
  }
  const survey = data.surveys.find((listed) => isDraft || listed.slug === slug);
  if (!survey) return emit('notshown', { slug: slug ?? '', reason: 'unknown-slug' });
  const found = client.placeOf(survey);
  if (!found) emit('notshown', { slug: survey.slug, reason: 'no-place' });
  const place = isDraft ? await placeOf(survey, client) : found;
  if (!place) return;
  const { mount } = await load('widget');
  const current: Current = { survey, place, bound: undefined, person: client.person };
  let isOpen = true;
  const forgetful: Client = {
    ...client,
    post: async () => ({ status: 200, data: { ok: true } }),
    storage: FORGETFUL,
    eligibility: { ...client.eligibility, reply: () => ({}) },
    emit(event, detail) {
      if (event === 'ask' || event === 'shown') emit(event, detail);
    },
    isOpen: () => isOpen && !client.signal.aborted,
    endAsk() {
      isOpen = false;
    },
  };
  const { open } = await mount(forgetful);
  await open(current);
}
