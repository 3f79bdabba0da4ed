/** Parses addresses such as `#/survey/nps?days=30`. */

import { useEffect, useState } from 'preact/hooks';

const PLAIN = ['new', 'order', 'yaml', 'help'] as const;

export type Route =
  | { readonly screen: 'overview' | (typeof PLAIN)[number] | 'unknown' }
  | { readonly screen: 'survey' | 'edit'; readonly slug: string };

function readRoute(hash: string): Route {
  const [path = ''] = hash.replace(/^#/, '').split('?', 1);
  const [first = '', slug, last, ...rest] = path.split('/').filter((part) => part !== '');
  if (first === '') return { screen: 'overview' };
  const plain = PLAIN.find((name) => name === first);
  if (plain !== undefined && slug === undefined) return { screen: plain };
  if (first !== 'survey' || slug === undefined || rest.length > 0) return { screen: 'unknown' };
  if (last === undefined) return { screen: 'survey', slug };
  return last === 'edit' ? { screen: 'edit', slug } : { screen: 'unknown' };
}

export function hrefOf(route: Route): string {
  if (route.screen === 'survey') return `#/survey/${route.slug}`;
  if (route.screen === 'edit') return `#/survey/${route.slug}/edit`;
  return route.screen === 'overview' ? '#/' : `#/${route.screen}`;
}

export function go(route: Route): void {
  location.hash = hrefOf(route);
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  useEffect(() => {
    const read = () => setRoute(readRoute(location.hash));
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return route;
}
