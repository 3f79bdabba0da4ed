/**
 * The script-tag build: `<script async src="…/canvass.js" data-key="svc_pk_…" data-user="…"></script>`.
 *
 * `data-base-url` is the service's address (default: the script's own origin), and `data-options` takes any other
 * option (`locale`, `theme`, …) as JSON.
 * The one global is `canvass`. Before this has loaded it may be an array of calls: `[['show', 'after-checkout']]`.
 */
import { createClient } from './client.ts';
import type { Canvass } from './options.ts';

/** A call as a list: the method's name and what it is given. */
type Call = [name: string, ...given: never[]];

type Calls = Record<string, ((...given: never[]) => unknown) | undefined>;

declare global {
  /** File name of the widget's build, beside the script's own. */
  const WIDGET_FILE: string;
  interface Window {
    canvass?: Call[] | (Canvass & { push(call: Call): unknown });
  }
}

try {
  const { src, dataset } = document.currentScript as HTMLScriptElement;
  const waiting = window.canvass ?? [];
  if (Array.isArray(waiting)) {
    const { key, user: userId, options = '{}', baseUrl = new URL(src).origin } = dataset;
    const canvass = {
      ...createClient(
        { ...JSON.parse(options), key, userId, baseUrl },
        () => import(new URL(WIDGET_FILE, src) as never),
      ),
      push: ([name, ...given]: Call): unknown => (canvass as Calls)[name]?.(...given),
    };
    window.canvass = canvass;
    waiting.forEach(canvass.push);
  }
} catch {
  // Whatever the tag says wrongly, the page must not hear of it.
}
