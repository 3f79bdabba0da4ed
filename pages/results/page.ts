/** The results page. It contains no data, loads nothing from other origins, and its policy blocks other scripts. */

import { createHash } from 'node:crypto';
import { html, type Page, trusted } from '../html.ts';
import { RESULTS_BODY } from './body.ts';
import { PAGE_STYLE } from './page-style.ts';
import { compactCss } from './style.ts';

/** bin/build/function-bundles.ts defines this in bundles. */
declare const BUILT_PAGE_SCRIPT: string;

const STYLE = compactCss(PAGE_STYLE);

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const headersFor = (script: string) => ({
  'content-type': 'text/html',
  'cache-control': 'public, max-age=300',
  'content-security-policy': `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(STYLE)}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types canvass`,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
});

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
<header class="top">
<div>
<h1><bdi id="project">Survey results</bdi></h1>
<div id="key-tools" hidden>
<label class="remember"><input type="checkbox" id="remember"> <span>Remember the key<span class="roomy"> in this browser</span></span></label>
<button type="button" class="quiet" id="leave">Sign out</button>
</div>
</div>
</header>
<main>
<form id="key-form" class="card" hidden autocomplete="off">
<h2>Open the results</h2>
<p class="about">Ask the team that runs the surveys for a reader key. Paste the key or the whole link. The key is stored only in this tab.</p>
<label for="key">Reader key</label>
<input id="key" type="password" required spellcheck="false">
<button class="main">Show results</button>
</form>
<noscript><p>This page needs JavaScript.</p></noscript>
${RESULTS_BODY}
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
