/** The style of the page's controls and of reading points. */

import { SURVEY_STYLE } from './style.ts';

export const PAGE_STYLE = `${SURVEY_STYLE}
[hidden] { display: none !important; }
.top { background: var(--card); border-bottom: 1px solid var(--rule); }
.top > div { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; justify-content: space-between; max-width: 72rem; min-height: 3.25rem; padding: .375rem 1rem; margin: 0 auto; }
#key-tools { display: flex; flex-wrap: wrap; gap: .25rem .5rem; align-items: center; }
.remember { display: flex; gap: .375rem; align-items: center; min-height: 2.25rem; color: var(--quiet); font-size: .8125rem; cursor: pointer; }
input[type=checkbox], input[type=radio] { accent-color: var(--mark); }
button, input, select, summary { font: inherit; color: inherit; }
button, select, .menu > summary, input[type=date], input[type=password], input[type=search], input[type=text] { min-height: 2.25rem; padding: .25rem .75rem; background: var(--card);
  border: 1px solid light-dark(#c9ced8, #3a404c); border-radius: .5rem; }
/* WCAG 2.2, 1.4.11: the edge of a field has a contrast of at least 3 with the ground. */
input[type], select { border-color: light-dark(#868e9c, #6b7383); }
button, .menu > summary { font-weight: 500; cursor: pointer; } button:hover, .menu > summary:hover, select:hover { background: var(--track); }
button.main { color: light-dark(#fff, #0d0f13); background: var(--mark); border-color: var(--mark); }
button.quiet { color: var(--quiet); background: none; border-color: transparent; } button.quiet:hover { color: var(--text); background: var(--track); }
button.link { min-height: 0; padding: .125rem .25rem; margin: 0 -.25rem; color: var(--mark); background: none; border: 0; text-align: start; }
button.link:hover { text-decoration: underline; } button[aria-pressed=true] { font-weight: 700; text-decoration: underline; }
:focus-visible { outline: 2px solid var(--mark); outline-offset: 2px; }
#key-form { display: grid; gap: .75rem; max-width: 26rem; padding: 1.75rem; margin: 3rem auto; } #key-form label { margin-bottom: -.5rem; font-weight: 500; }
#choice { position: relative; display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
.select { position: relative; display: inline-block; max-width: 100%; } .select select { width: 100%; padding-inline-end: 2rem; font-weight: 500; text-overflow: ellipsis; appearance: none; }
.select::after { position: absolute; inset-block-start: calc(50% - .3125rem); inset-inline-end: .875rem; width: .4375rem; height: .4375rem; content: ''; border: solid var(--quiet); border-width: 0 1.5px 1.5px 0; transform: rotate(45deg); pointer-events: none; }
.select > label, legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.select:has(#survey) { flex: 1 1 11rem; max-width: 28rem; } .select:has(#compare, #segment) { max-width: 13rem; }
.state::first-letter { text-transform: uppercase; } .state { display: inline-block; padding: 0 .5rem; margin-inline-start: .375rem; font-weight: 500; color: var(--middle-text); background: var(--middle-back); border-radius: 1rem; } .state.active { color: var(--high-text); background: var(--high-back); } .in-console .state { display: none; }
.choices { position: relative; display: inline-flex; flex-wrap: wrap; max-width: 100%; min-width: 0; padding: .1875rem; margin: 0; background: var(--track); border: 0; border-radius: .5rem; }
.choices label { position: relative; } .choices input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
.choices span { display: block; padding: .25rem .625rem; font-size: .8125rem; font-weight: 500; line-height: 1.375rem; color: var(--quiet); white-space: nowrap; border-radius: .375rem; }
.choices label:hover span { color: var(--text); } .choices input:checked + span { color: var(--text); background: light-dark(#fff, #414856); box-shadow: 0 1px 2px #10182833; }
.choices input:focus-visible + span { outline: 2px solid var(--mark); outline-offset: 1px; }
.menu { position: relative; margin-inline-start: auto; } .menu > summary { display: flex; align-items: center; list-style: none; } .menu > summary::-webkit-details-marker { display: none; }
.menu > div { position: absolute; z-index: 2; inset-inline-end: 0; display: grid; width: max-content; padding: .25rem; margin-top: .25rem; background: var(--card); border: 1px solid var(--rule); border-radius: .625rem; box-shadow: 0 8px 24px #10182833; }
.menu > div button { text-align: start; background: none; border: 0; } .menu > div button:hover { background: var(--track); } button:disabled { opacity: .55; cursor: default; }
.own { display: flex; flex: 1 0 100%; flex-wrap: wrap; gap: .5rem; align-items: center; }
#notice { display: flex; gap: .75rem; align-items: center; min-height: .5rem; margin: .5rem 0; } #status { color: var(--quiet); font-size: .8125rem; } #notice.wrong { padding: .75rem 1rem; margin: 1rem 0; color: var(--low-text); background: var(--low-back); border-radius: .5rem; } #notice.wrong #status { color: inherit; font-weight: 500; }
#results[aria-busy=true] { opacity: .55; } .waiting { display: grid; gap: 1rem; margin-top: 1.5rem; } .waiting .card { height: 11rem; background: var(--track); box-shadow: none; } .waiting .tiles .card { height: 6rem; } .waiting .charts .card { height: 22rem; }
.empty { display: grid; gap: .75rem; justify-items: center; padding: 4rem 1.5rem; text-align: center; } .empty h3 { font-size: 1.125rem; } .empty p { max-width: 34rem; color: var(--quiet); }
.empty div { display: flex; flex-wrap: wrap; gap: .5rem; justify-content: center; }
.people { align-items: start; margin-top: 1rem; } .people > section > .about { margin-bottom: .75rem; } .people > section > .about:empty { display: none; }
.people .card > header { justify-content: flex-start; } .people .card > header h3 { flex: 1 0 100%; min-height: 2rem; align-content: center; } #comments > header h3 { flex: 1 0 50%; } .said header { gap: .5rem !important; } .said select, #find { min-height: 2rem; padding: .125rem 1.125rem .125rem .5rem; font-size: .8125rem; } .said .select::after { inset-inline-end: .5rem; } #find { flex: 0 1 11rem; min-width: 0; } .said > button { min-height: 2rem; padding-block: .125rem; margin-top: .25rem; font-size: .8125rem; } @media screen { .comments.first > li:nth-child(n + 9), #contact-list.first > li:nth-child(n + 6) { display: none; } }
.foot { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: center; } .foot:not(:empty) { margin-top: .375rem; } .foot .handle { flex: 1 1 15rem; justify-content: flex-end; margin: 0; } .foot .person { margin: 0; }
.person { margin-top: .375rem; } .person a { color: var(--mark); } .fact { padding: 0 .5rem; background: var(--track); border-radius: .25rem; }
.handle { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: center; margin-top: .25rem; } .handle input { flex: 1 1 6rem; min-width: 0; min-height: 2rem; text-align: end; background: none; border-color: transparent; font-size: .8125rem; } .handle input:is(:hover, :focus, :not(:placeholder-shown)) { text-align: start; border-color: var(--rule); } .handle button { min-height: 2rem; padding-block: .125rem; font-size: .8125rem; } ::placeholder { color: var(--quiet); opacity: 1; } .said li > .about { margin-top: .25rem; }
.tiles .card:has(a) { position: relative; } .tiles a { color: var(--mark); } .tiles a::after { position: absolute; inset: 0; content: ''; }
.plot[tabindex] { cursor: crosshair; border-radius: .25rem; }
.read { position: absolute; z-index: 1; width: max-content; max-width: 15rem; padding: .5rem .75rem; font-size: .8125rem; line-height: 1.45; color: light-dark(#fff, #14171f); background: light-dark(#1b1f2a, #eef0f4); border-radius: .5rem; box-shadow: 0 4px 16px #10182840; pointer-events: none; }
.read strong { display: block; font-weight: 600; } .guide { position: absolute; width: 0; height: 0; border: 0 dashed var(--quiet); pointer-events: none; }
.guide.across { border-left-width: 1px; } .ring { position: absolute; width: .75rem; height: .75rem; margin: -.375rem; background: var(--mark); border: 2px solid var(--card); border-radius: 50%; pointer-events: none; }
@media (min-width: 40rem) { .top > div { padding-inline: 1.5rem; } }
@media (min-width: 60rem) { .people:not(:has(> [hidden])), #results .breakdowns:has(> :nth-child(2)) { grid-template-columns: var(--halves); .interval { display: none; } .card > header { min-height: 2.5rem; } } }
@media (max-width: 40rem) { .roomy { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); } .remember { position: relative; } #choice { display: grid; grid-template-columns: 31fr 35fr 34fr; } #choice select { padding-inline: .625rem 1.5rem; font-size: .8125rem; } .select::after { inset-inline-end: .625rem; } .select:has(#survey) { grid-column: span 2; } #choice .select { max-width: none; } .menu { order: 0; margin: 0; } .menu > summary { justify-content: center; } .own { grid-column: 1 / -1; } .said header { column-gap: .375rem !important; } .said .select { flex: 5 1 0; } #comments > header h3 { flex-basis: 30%; } #contacts .select { flex: 1 0 40%; } .choices span { padding-inline: .4375rem; } }
@media (pointer: coarse), (max-width: 40rem) { .handle input { padding-inline: 0; text-align: start; } button, select, .menu > summary, input[type=date], input[type=search], input[type=text] { min-height: 2.75rem; } button.link { min-height: 2rem; } .numbers summary, .person a { padding-block: .25rem; } .person a { display: inline-block; } .handle input, .handle button { min-height: 2.75rem; } .choices span { padding-block: .5625rem; } .remember { min-height: 2.75rem; } }
/* iOS zooms into smaller fields. */ @media (max-width: 40rem) { input, select, textarea, #choice select, .said select, #find, .handle input, .field input[type], .field textarea, .measured input[type], .file textarea { font-size: 1rem !important; } }
@media (pointer: coarse) and (min-width: 60rem) { .charts .card > header { min-height: 2.875rem; } }
@media (forced-colors: active) { .choices input:checked + span { color: HighlightText; background: Highlight; forced-color-adjust: none; } .read { border: 1px solid; } }
@media print {
  #contacts h3, #comments h3 { min-height: 0; }
  .foot { display: block; } .facts { display: inline; } .fact + .fact { margin-inline-start: 4pt; } .fact, time { white-space: nowrap; } form:not(.handle), button:not(.link), fieldset, input, #notice, #key-tools, #comments-about, #contacts-about, .read, .guide, .ring, .select { display: none !important; } .top > div { min-height: 0; padding: 0 0 5pt; } .top { border: 0; }
  .tiles a { color: inherit; text-decoration: none; } button.link { margin: 0; color: inherit; font-weight: inherit; } .everybody { display: none !important; }
  .people { grid-template-columns: var(--halves) !important; gap: 7pt; margin-top: 7pt; } .people:has(> [hidden]) { grid-template-columns: minmax(0, 1fr) !important; } }
`;
