/** The body of the results page and of the console's results. A script fills it. */

import { html } from '../html.ts';

type Choice = readonly [value: string, text: string];

const select = (id: string, label: string, offered: readonly Choice[] = []) =>
  html`<span class="select"><label for="${id}">${label}</label><select id="${id}">${offered.map(([value, text]) => html`<option value="${value}">${text}</option>`)}</select></span>`;

const SPANS: readonly Choice[] = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['own', 'Custom dates'],
];

const CONTACT_STATES: readonly Choice[] = [
  ['open', 'Open'],
  ['handled', 'Handled'],
  ['all', 'All'],
];

const CONTACTS_OF: readonly Choice[] = [
  ['', 'This survey'],
  ['all', 'All surveys'],
];

const CONTACTS_OF_DAYS: readonly Choice[] = [
  ['', 'In this period'],
  ['all', 'All time'],
];

const CONTACT_ORDERS: readonly Choice[] = [
  ['', 'Lowest first'],
  ['newest', 'Newest first'],
];

export const RESULTS_BODY = html`<form id="choice" hidden>
${select('survey', 'Survey')}
${select('days', 'Period', SPANS)}
${select('segment', 'Segment')}
${select('compare', 'Comparison')}
<details class="menu" id="save"><summary>Download</summary><div>
<button type="button" id="save-days">Trend (CSV)</button>
<button type="button" id="save-answers">Responses (CSV)</button>
<button type="button" id="print">Print or save as PDF</button>
</div></details>
<div class="own" id="own" hidden>
<label for="from">From</label><input id="from" type="date">
<label for="to">to</label><input id="to" type="date">
<span class="about">Dates are in UTC, and both are included. The maximum is 400 days.</span>
</div>
</form>
<div id="notice"><p id="status" role="status"></p><button type="button" id="again" hidden>Try again</button></div>
<div id="results"></div>
<div class="people" id="people">
<section class="card said" id="contacts" hidden aria-labelledby="contacts-title">
<header><h3 id="contacts-title">Contact requests <span class="about" id="contacts-whose"></span> <span class="about printed" id="contacts-printed"></span></h3>${select('state', 'State', CONTACT_STATES)}${select('contacts-of', 'Requests from', CONTACTS_OF)}${select('when', 'Period of requests', CONTACTS_OF_DAYS)}${select('sort', 'Order', CONTACT_ORDERS)}</header>
<p class="about" id="contacts-about" role="status"></p>
<ol class="comments" id="contact-list"></ol>
<button type="button" id="more-contacts" hidden>More requests</button>
<button type="button" id="earlier" hidden></button>
</section>
<section class="card said" id="comments" hidden aria-labelledby="comments-title">
<header><h3 id="comments-title">Comments <span class="about" id="comments-count"></span> <span class="about printed" id="comments-printed"></span></h3><input type="search" id="find" placeholder="Search comments" aria-label="Search loaded comments">${select('ratings', 'Ratings')}${select('reason', 'Reason')}</header>
<p class="about" id="comments-about" role="status"></p>
<ol class="comments" id="comment-list"></ol>
<button type="button" id="more" hidden>More comments</button>
</section>
</div>`;
