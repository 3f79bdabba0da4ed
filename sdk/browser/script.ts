/**
 * The script-tag build: `<script async src="…/canvass.js" data-key="svc_pk_…" data-user="…"></script>`.
 *
 * `data-base-url` is the service's address (default: the script's origin). `data-user-token` proves the user if the
 * project requires that. `data-options` takes all options as JSON instead of the other attributes. A script with
 * `type="module"` cannot read attributes. `canvass.js?debug` logs to the console.
 * The one global is `canvass`. Before loading it may be an array of calls: `[['show', 'after-checkout']]`.
 */
import { createClient } from './client/client.ts';
import type { Canvass } from './client/options.ts';

type Call = [name: string, ...given: never[]];

type Calls = Record<string, ((...given: never[]) => unknown) | undefined>;

declare global {
  /** The build id in the names of further files. */
  const BUILD: string;
  interface Window {
    canvass?: Call[] | (Canvass & { push(call: Call): unknown });
  }
}

try {
  const tag = document.currentScript as HTMLScriptElement | null;
  if (!tag) throw 'canvass.js is no module';
  const { src, dataset } = tag;
  const { key, baseUrl = new URL(src).origin, userToken, user: userId, options = '{}' } = dataset;
  // An element of the page may have the id `canvass`.
  const waiting = window.canvass?.push ? window.canvass : [];
  if (Array.isArray(waiting)) {
    const beside = (file: string, fault?: unknown) =>
      import(new URL(`${file}-${BUILD}.js${fault ? `?${Date.now()}` : ''}`, src).href);
    const canvass = {
      ...createClient(
        { key, baseUrl, userId, userToken, debug: src.includes('?debug'), ...JSON.parse(options) },
        beside,
      ),
      push: ([name, ...given]: Call): unknown => (canvass as Calls)[name]?.(...given),
    };
    window.canvass = canvass;
    waiting.forEach(canvass.push);
  }
} catch (error) {
  // Mistakes in the tag must not break the page.
  console.warn(error);
}
