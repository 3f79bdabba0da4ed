/** Loaded on demand, if a listed survey is opened by the person (docs/contract.md §6.11). */

import { CAPABILITIES } from './eligibility.ts';
import type { Emitter } from './events.ts';
import type { Client, Current, OwnEvents } from './modules.ts';
import type { Reply } from './post.ts';
import type { Survey } from './survey.ts';
import { isOnPage, isTargeted } from './targeting.ts';

export interface Opener {
  /** Closes surveys of an earlier person, and hides openers of surveys that cannot be opened here. */
  readonly refresh: () => void;
  readonly open: (slug: string) => Promise<void>;
}

const OPENER = 'data-canvass-open';

/** A marker with this class holds back `auto` surveys, as open reasons below a thumb do (idle-wait.ts). */
const HOLDING = 'canvass-more';

interface Opened {
  readonly current: Current;
  readonly of: string;
  readonly end: () => void;
}

function leave({ current: { ask, view }, end }: Opened): void {
  if (ask?.drafted) ask.dismiss();
  end();
  view?.remove();
}

/** A modal dialog makes everything else inert. */
const topmostModal = (): Element | undefined => [...document.querySelectorAll('dialog:modal')].at(-1);

/** Surveys in one place cover each other. The words of a refused answer stay. */
function clear(place: Element): void {
  for (const host of place.querySelectorAll(':scope > canvass-survey'))
    if (!host.shadowRoot?.querySelector('section.lost')) host.remove();
}

function focus(host: Element | undefined): void {
  host?.shadowRoot?.querySelector<HTMLElement>('input,textarea,section button')?.focus();
}

export function createOpener(client: Client, on: Emitter<OwnEvents>['on']): Opener {
  const { eligibility, emit, load, options, person, post, signal } = client;
  /** By slug. */
  const opened = new Map<string, Opened>();
  const asking = new Set<string>();
  let listed: readonly Survey[] = [];

  const placeOf = (survey: Survey) =>
    survey.presentation === 'inline' ? client.placeOf(survey) : (topmostModal() ?? client.placeOf(survey));
  const reasonAgainst = (survey: Survey) => {
    if (survey.pages && !isOnPage(survey.pages, location.pathname)) return 'page';
    if (!isTargeted(person.traits, survey.targeting)) return 'targeting';
    return placeOf(survey) ? undefined : 'no-place';
  };

  async function show(survey: Survey, place: Element, data: Reply['data']): Promise<void> {
    for (const each of [...opened.values()]) if (each.current.place === place) leave(each);
    // The client ends a survey that it showed itself once its host is gone.
    clear(place);
    const holding = document.createElement('i');
    holding.className = HOLDING;
    holding.hidden = true;
    document.documentElement.append(holding);
    const current: Current = { survey, place, bound: undefined, person };
    const end = () => {
      holding.remove();
      opened.delete(survey.slug);
    };
    const mine: Opened = { current, of: person.id(), end };
    opened.set(survey.slug, mine);
    const { mount } = await load('widget');
    const asker = await mount({
      ...client,
      // Closing says nothing about the survey.
      post: async (path, body, ...given) =>
        path === '/v1/dismissals' && Object.entries(body).some(([, value]) => value === survey.id)
          ? { status: 200, data: { ok: true } }
          : post(path, body, ...given),
      eligibility: { ...eligibility, reply: () => data },
      // Until it is asked, another person may sign in. Later, drafts of the earlier person are still sent.
      isOpen: () => opened.get(survey.slug) === mine && (!!current.ask || mine.of === person.id()),
      endAsk: end,
    });
    await asker.open(current);
    focus(current.view?.host);
  }

  async function request(slug: string): Promise<void> {
    const userId = person.id();
    const { token } = person;
    const bootstrap = async () => {
      const userToken = typeof token === 'function' ? await token() : token;
      const body = { key: options.key, userId, userToken, types: CAPABILITIES, open: slug };
      return post('/v1/sdk/bootstrap', body, 0, signal);
    };
    let reply = await bootstrap();
    const isRefused = reply.data.error?.code === 'invalid_identity';
    if (isRefused && typeof token === 'function') reply = await bootstrap();
    const { status, data, cause } = reply;
    if (signal.aborted || person.id() !== userId) return;
    if (!data.surveys) return emit('error', { status, code: data.error?.code, cause });
    const [survey] = data.surveys;
    if (!survey) return emit('notshown', { slug, reason: 'unknown-slug' });
    const place = placeOf(survey);
    const reason = data.showTokens?.[survey.id] ? reasonAgainst(survey) : 'no-token';
    if (reason || !place) emit('notshown', { slug, reason: reason ?? 'no-place' });
    else await show(survey, place, data);
  }

  const refresh = () => {
    for (const each of [...opened.values()]) {
      const host = each.current.view?.host ?? each.current.place;
      if (each.of !== person.id() || !host.isConnected) leave(each);
    }
    listed = eligibility.reply().surveys ?? listed;
    const open = listed.filter((survey) => survey.trigger === 'person' && !reasonAgainst(survey));
    for (const opener of document.querySelectorAll<HTMLElement>(`[${OPENER}]`))
      opener.hidden = !open.some(({ slug }) => slug === opener.getAttribute(OPENER));
  };

  const open = async (slug: string) => {
    const before = opened.get(slug);
    const host = before?.current.view?.host;
    if (host?.checkVisibility()) return focus(host);
    if (asking.has(slug)) return;
    if (before) leave(before);
    asking.add(slug);
    try {
      await request(slug);
    } catch (cause) {
      const failed = opened.get(slug);
      if (failed) leave(failed);
      emit('error', { cause });
    }
    asking.delete(slug);
  };

  if (!signal.aborted) {
    const watch = new MutationObserver(refresh);
    watch.observe(document, { childList: true, subtree: true, attributeFilter: [OPENER] });
    on('again', refresh);
    const clicked = (event: Event) => {
      const opener = event.composedPath().find((one) => one instanceof Element && one.hasAttribute(OPENER));
      const slug = opener instanceof Element && opener.getAttribute(OPENER);
      if (slug) void open(slug);
    };
    // In the capturing phase, since pages may stop clicks that bubble.
    document.addEventListener('click', clicked, { capture: true, signal });
    const leaveDrafted = () => {
      for (const each of [...opened.values()]) if (each.current.ask?.drafted) leave(each);
    };
    addEventListener('pagehide', leaveDrafted, { signal });
    signal.addEventListener('abort', () => {
      watch.disconnect();
      for (const each of [...opened.values()]) leave(each);
    });
  }
  return { open, refresh };
}
