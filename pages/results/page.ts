/** The page of results: it holds no data and loads nothing from elsewhere; its policy lets no other script run. */

import { createHash } from 'node:crypto';
import { html, type Page, trusted } from '../html.ts';
import { PAGE_STYLE } from './page-style.ts';

/** Only in bundles, where bin/build/function-bundles.ts has put the script in place of the name. */
declare const BUILT_PAGE_SCRIPT: string;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const headersFor = (script: string) => ({
  'content-type': 'text/html',
  'cache-control': 'public, max-age=300',
  'content-security-policy': `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(PAGE_STYLE)}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types canvass`,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
});

interface Choice {
  readonly value: string;
  readonly text: string;
}

/** Buttons of which one is chosen, as one control. */
const choices = (name: string, legend: string, offered: readonly Choice[]) =>
  html`<fieldset class="choices" id="${name}"><legend>${legend}</legend>${offered.map(({ value, text }) => html`<label><input type="radio" name="${name}" value="${value}"><span>${text}</span></label>`)}</fieldset>`;

const select = (id: string, label: string) =>
  html`<span class="select"><label for="${id}">${label}</label><select id="${id}"></select></span>`;

const SPANS = [
  { value: '7', text: '7 days' },
  { value: '30', text: '30 days' },
  { value: '90', text: '90 days' },
  { value: 'own', text: 'Custom' },
];

const CONTACT_STATES = [
  { value: 'open', text: 'Open' },
  { value: 'handled', text: 'Handled' },
  { value: 'all', text: 'All' },
];

const CONTACTS_OF = [
  { value: '', text: 'This survey' },
  { value: 'all', text: 'All surveys' },
];

const documentWith = (script: string): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Survey results</title>
<style>${trusted(PAGE_STYLE)}</style>
</head>
<body>
<header class="top">
<div>
<h1><bdi id="project">Survey results</bdi></h1>
<div id="key-tools" hidden>
<label class="remember"><input type="checkbox" id="remember"> Remember the key<span class="roomy"> in this browser</span></label>
<button type="button" class="quiet" id="leave">Forget<span class="roomy"> the key</span></button>
</div>
</div>
</header>
<main>
<form id="key-form" class="card" hidden autocomplete="off">
<h2>Open the results</h2>
<p class="about">Whoever runs the surveys makes a key for you. It begins with svc_rk_, an editor's with svc_ek_. Paste it, or the whole link: it stays in this tab.</p>
<label for="key">Reader key</label>
<input id="key" type="password" required spellcheck="false">
<button class="main">Show results</button>
</form>
<form id="choice" hidden>
${select('survey', 'Survey')}
${choices('days', 'Days', SPANS)}
${select('segment', 'Segment')}
${select('compare', 'Comparison')}
<details class="menu" id="save"><summary>Download</summary><div>
<button type="button" id="save-days">Days (CSV)</button>
<button type="button" id="save-answers">Answers (CSV)</button>
<button type="button" id="print">Print, or save as PDF</button>
</div></details>
<div class="own" id="own" hidden>
<label for="from">From</label><input id="from" type="date">
<label for="to">to</label><input id="to" type="date">
<span class="about">Days of UTC, both included; at most 400.</span>
</div>
</form>
<div id="notice"><p id="status" role="status"></p><button type="button" id="again" hidden>Try again</button></div>
<noscript><p>This page needs JavaScript. A report does not: whoever runs the surveys can make one, a file to send by mail.</p></noscript>
<div id="results"></div>
<div class="people">
<section class="card said" id="comments" hidden aria-labelledby="comments-title">
<header><h3 id="comments-title">Comments</h3>${select('reason', 'Reason')}<fieldset class="choices" id="ratings"><legend>Ratings</legend></fieldset></header>
<p class="about" id="comments-about" role="status"></p>
<ol class="comments" id="comment-list"></ol>
<button type="button" id="more" hidden>More comments</button>
<p class="printed about">Printed are the newest; the page has all.</p>
</section>
<section class="card said" id="contacts" hidden aria-labelledby="contacts-title">
<header><h3 id="contacts-title">Want to be contacted <span class="about" id="contacts-whose">on any day</span></h3>${choices('contacts-of', 'Contacts of', CONTACTS_OF)}${choices('state', 'State', CONTACT_STATES)}</header>
<p class="about" id="contacts-about" role="status"></p>
<ol class="comments" id="contact-list"></ol>
<button type="button" id="more-contacts" hidden>More people</button>
<p class="printed about">Printed are the newest; the page has all.</p>
</section>
</div>
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
