/** Each screen in a file of its own, which is read when it is first opened, or before that while the browser is idle. */

import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Problem, Unknown } from './notice.tsx';
import type { Route } from './route.ts';

type Screen = ComponentType<{ readonly slug: string }>;

/** By their names in addresses. What a screen shows, it asks for itself. */
const SCREENS: Readonly<Partial<Record<Route['screen'], () => Promise<Screen>>>> = {
  overview: () => import('../overview/overview.tsx').then(({ Overview }) => Overview),
  yaml: () => import('../yaml.tsx').then(({ Yaml }) => Yaml),
  help: () => import('../help.tsx').then(({ Help }) => Help),
  survey: () => import('../survey/survey.tsx').then(({ Survey }) => Survey),
  edit: () => import('../editor/editor.tsx').then(({ Editor }) => Editor),
  order: () => import('../order/order.tsx').then(({ Order }) => Order),
  new: () => import('../editor/editor.tsx').then(({ Editor }) => Editor),
};

const loaded = new Map<Route['screen'], Screen>();

async function load(screen: Route['screen']): Promise<Screen> {
  const known = loaded.get(screen) ?? (await (SCREENS[screen]?.() ?? Unknown));
  loaded.set(screen, known);
  return known;
}

/**
 * Reads the other screens once this one is there: a release that is deployed later takes their files away, and this tab
 * goes on with the ones that it has.
 */
function readAhead(): () => void {
  const read = () => {
    for (const screen of Object.values(SCREENS)) screen().catch(() => undefined);
  };
  // Not in every browser yet.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(read, 2_000);
    return () => clearTimeout(timer);
  }
  const id = requestIdleCallback(read, { timeout: 5_000 });
  return () => cancelIdleCallback(id);
}

/** What the address asks for; where its file is not there any more, what to do about it. */
export function CurrentScreen({ route }: { readonly route: Route }) {
  const { screen } = route;
  const [, redraw] = useState(0);
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    let isOver = false;
    setMissing(false);
    load(screen).then(
      () => !isOver && redraw((count) => count + 1),
      () => !isOver && setMissing(true),
    );
    return () => {
      isOver = true;
    };
  }, [screen]);
  useEffect(readAhead, []);
  if (isMissing)
    return (
      <Problem
        words="The console was updated since you opened this tab. Reload it. Your changes are kept in this tab."
        action={{ words: 'Reload', run: () => location.reload() }}
      />
    );
  const Shown = loaded.get(screen);
  const slug = 'slug' in route ? route.slug : '';
  return Shown === undefined ? <p class="waiting about">Loading…</p> : <Shown key={slug} slug={slug} />;
}
