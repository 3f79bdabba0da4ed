/** What results are shown in: the controls, the survey, comments and contacts, all empty until the script fills them. */

import { html } from '../html.ts';

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

export const RESULTS_BODY = html`<form id="choice" hidden>
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
<div id="results"></div>
<div class="people">
<section class="card said" id="contacts" hidden aria-labelledby="contacts-title">
<header><h3 id="contacts-title">Want to be contacted <span class="about" id="contacts-whose"></span> <span class="about printed" id="contacts-printed"></span></h3>${choices('contacts-of', 'Contacts of', CONTACTS_OF)}${choices('state', 'State', CONTACT_STATES)}</header>
<p class="about" id="contacts-about" role="status"></p>
<ol class="comments" id="contact-list"></ol>
<button type="button" id="more-contacts" hidden>More people</button>
</section>
<section class="card said" id="comments" hidden aria-labelledby="comments-title">
<header><h3 id="comments-title">Comments <span class="about printed" id="comments-printed"></span></h3><input type="search" id="find" placeholder="Search comments" aria-label="Search comments that are loaded">${select('reason', 'Reason')}<fieldset class="choices" id="ratings"><legend>Ratings</legend></fieldset></header>
<p class="about" id="comments-about" role="status"></p>
<ol class="comments" id="comment-list"></ol>
<button type="button" id="more" hidden>More comments</button>
</section>
</div>`;
