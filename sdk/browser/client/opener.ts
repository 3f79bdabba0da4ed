/** Loaded on demand, if a listed survey is opened by the person (docs/contract.md §6.11). */

import { CAPABILITIES } from './eligibility.ts';
import type { Client, Current } from './modules.ts';
import type { Reply } from './post.ts';
import type { Survey } from './survey.ts';
import { isOnPage, isTargeted } from './targeting.ts';

export interface Opener {
  /** Closes surveys of an earlier person, and hides openers of surveys that cannot be opened here. */
  readonly refresh: () => void;
  readonly open: (slug: string) => Promise<void>;
}

const OPENER = 'data-canvass-open';

/** Holds back `auto` surveys, like open reasons below a thumb (idle-wait.ts). */
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

export function createOpener(client: Client): Opener {
  const { eligibility, emit, load, options, person, placeOf, post, signal } = client;
  /** By slug. */
  const opened = new Map<string, Opened>();
  const asking = new Set<string>();

  const reasonAgainst = (survey: Survey) => {
    if (survey.pages && !isOnPage(survey.pages, location.pathname)) return 'page';
    if (!isTargeted(person.traits, survey.targeting)) return 'targeting';
    return placeOf(survey) ? undefined : 'no-place';
  };

  async function show(survey: Survey, place: Element, data: Reply['data']): Promise<void> {
    for (const each of [...opened.values()]) if (each.current.place === place) leave(each);
    // A survey that was shown by itself would cover this one. The client ends it once its host is gone.
    if (place.localName === 'html')
      for (const host of document.querySelectorAll('html > canvass-survey')) host.remove();
    const current: Current = { survey, place, bound: undefined, person };
    const mine: Opened = { current, of: person.id(), end: () => opened.delete(survey.slug) };
    const isOpen = () => opened.get(survey.slug) === mine;
    opened.set(survey.slug, mine);
    const { mount } = await load('widget');
    const asker = await mount({
      ...client,
      // Closing says nothing about the survey.
      post: async (path, ...given) =>
        path === '/v1/dismissals' ? { status: 200, data: { ok: true } } : post(path, ...given),
      eligibility: { ...eligibility, reply: () => data },
      isOpen,
      endAsk: mine.end,
    });
    await asker.open(current);
    const { host } = current.view ?? {};
    host?.classList.add(HOLDING);
    host?.shadowRoot?.querySelector<HTMLElement>('input,textarea')?.focus();
  }

  async function request(slug: string): Promise<void> {
    const userId = person.id();
    const { token } = person;
    const userToken = typeof token === 'function' ? await token() : token;
    const body = { key: options.key, userId, userToken, types: CAPABILITIES, open: slug };
    const { status, data, cause } = await post('/v1/sdk/bootstrap', body, 0, signal);
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
    const { surveys } = eligibility.reply();
    if (!surveys) return;
    const open = surveys.filter((survey) => survey.trigger === 'person' && !reasonAgainst(survey));
    for (const opener of document.querySelectorAll<HTMLElement>(`[${OPENER}]`))
      opener.hidden = !open.some(({ slug }) => slug === opener.getAttribute(OPENER));
  };

  const open = async (slug: string) => {
    if (opened.has(slug) || asking.has(slug)) return;
    asking.add(slug);
    await request(slug)
      .catch((cause) => emit('error', { cause }))
      .finally(() => asking.delete(slug));
  };

  if (!signal.aborted) {
    const watch = new MutationObserver(refresh);
    watch.observe(document, { childList: true, subtree: true, attributeFilter: [OPENER] });
    const clicked = ({ target }: Event) => {
      const slug = target instanceof Element && target.closest(`[${OPENER}]`)?.getAttribute(OPENER);
      if (slug) void open(slug);
    };
    document.addEventListener('click', clicked, { signal });
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
