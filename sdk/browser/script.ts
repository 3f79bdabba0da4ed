/**
 * The script-tag build: `<script async src="…/canvass.js" data-key="svc_pk_…" data-user="…"></script>`.
 *
 * `data-base-url` is the service's address (default: the script's own origin), `data-user-token` proves the user where
 * the project requires that, and `data-options` takes any option (`locale`, `theme`, …) as JSON, in place of the other
 * attributes. No attribute can be read of a script with `type="module"`. With `canvass.js?debug` the console says what
 * is asked and why not.
 * The one global is `canvass`. Before this has loaded it may be an array of calls: `[['show', 'after-checkout']]`.
 */
import { createClient } from './client/client.ts';
import type { Canvass } from './client/options.ts';

/** A call as a list: the method's name and what it is given. */
type Call = [name: string, ...given: never[]];

type Calls = Record<string, ((...given: never[]) => unknown) | undefined>;

declare global {
  /** The hash in the names of further files, beside the script's own. */
  const BUILD: string;
  interface Window {
    canvass?: Call[] | (Canvass & { push(call: Call): unknown });
  }
}

try {
  const tag = document.currentScript as HTMLScriptElement | null;
  if (!tag) throw new Error('canvass.js is no module');
  const { src, dataset } = tag;
  const { key, user: userId, userToken, options = '{}', baseUrl = new URL(src).origin } = dataset;
  // An element of the page whose id is `canvass` is there by that name, too.
  const waiting = window.canvass?.push ? window.canvass : [];
  if (Array.isArray(waiting)) {
    const debug = src.includes('?debug');
    const beside = (file: string, fault?: unknown) =>
      import(new URL(`${file}-${BUILD}.js${fault ? `?${Date.now()}` : ''}`, src).href);
    const canvass = {
      ...createClient({ key, baseUrl, userId, userToken, debug, ...JSON.parse(options) }, beside),
      push: ([name, ...given]: Call): unknown => (canvass as Calls)[name]?.(...given),
    };
    window.canvass = canvass;
    waiting.forEach(canvass.push);
  }
} catch (error) {
  // Whatever the tag says wrongly: the page must not hear of it, but its developer.
  console.warn(error);
}
