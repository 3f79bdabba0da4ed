/** The page of results: it holds no data and loads nothing from elsewhere; its policy lets no other script run. */

import { createHash } from 'node:crypto';
import { html, type Page, trusted } from '../html.ts';
import { REPORT_STYLE } from './style.ts';

/** Only in bundles, where bin/build/function-bundles.ts has put the script in place of the name. */
declare const BUILT_PAGE_SCRIPT: string;

const STYLE = `${REPORT_STYLE}
[hidden] { display: none !important; }
form { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin: 1rem 0; }
label { display: grid; grid-template-columns: minmax(0, 1fr); gap: .2rem; max-width: 100%; font-size: .85rem; }
input, select, button { box-sizing: border-box; min-height: 2.75rem; max-width: 100%; padding: .4rem .6rem; font: inherit; font-size: 1rem; }
:focus-visible { outline: 3px solid var(--mark); outline-offset: 2px; }
@media print { form, button, #status { display: none; } }
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const headersFor = (script: string) => ({
  'content-type': 'text/html',
  'cache-control': 'public, max-age=300',
  'content-security-policy': `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(STYLE)}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
});

const option = (value: string, text: string) => html`<option value="${value}">${text}</option>`;
const BUCKET_OPTIONS = [option('', 'automatic'), ...['day', 'week', 'month'].map((by) => option(by, by))];

const documentWith = (script: string): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Survey results</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
<main>
<h1>Survey results</h1>
<form id="key-form" hidden autocomplete="off">
<label for="key">Reader key <input id="key" type="password" size="40" required spellcheck="false"></label>
<button>Show results</button>
</form>
<form id="choice" hidden>
<label for="survey">Survey <select id="survey"></select></label>
<label for="from">From <input id="from" type="date"></label>
<label for="to">To <input id="to" type="date"></label>
<label for="by">Trend <select id="by">${BUCKET_OPTIONS}</select></label>
<label for="segment">Segment <select id="segment"></select></label>
<button type="button" id="download">Download CSV</button>
<button type="button" id="leave">Forget the key</button>
</form>
<p id="status" role="status"></p>
<noscript><p>This page needs a script. A report does not: npm run admin -- results report.</p></noscript>
<div id="results"></div>
<section class="said" id="comments" hidden aria-labelledby="comments-title">
<h2 id="comments-title">Comments</h2>
<form id="filters">
<label for="lowest">Lowest rating <input id="lowest" type="number" min="0" max="10" size="4"></label>
<label for="highest">Highest rating <input id="highest" type="number" min="0" max="10" size="4"></label>
</form>
<ol class="comments" id="comment-list"></ol>
<button type="button" id="more" hidden>More comments</button>
</section>
</main>
<script type="module">${trusted(script)}</script>
</body>
</html>
`.text;

export async function resultsPage(): Promise<Page> {
  const script =
    typeof BUILT_PAGE_SCRIPT === 'string'
      ? BUILT_PAGE_SCRIPT
      : (await import('./build-page-script.ts')).buildPageScript();
  return { raw: documentWith(script), headers: headersFor(script) };
}

/** Opens the page of results with the key of a person, which stays behind the `#` and is sent to nobody. */
export const resultsLink = (service: string, key: string): string =>
  `${service.replace(/\/$/, '')}/results#key=${key}`;
