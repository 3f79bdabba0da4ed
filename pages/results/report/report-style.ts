/** The style of reports: cover, and people in columns. */

import { SURVEY_STYLE } from '../style.ts';

export const SENT_STYLE = `${SURVEY_STYLE}
.overview td { white-space: nowrap; } .overview .up { color: var(--high-text); } .overview .down { color: var(--low-text); } .overview .about { display: block; } .overview a { color: var(--mark); font-weight: 500; } .overview + .about, .card + .survey { margin-top: 1rem; }
@media (max-width: 40rem) { .overview thead { position: absolute; clip-path: inset(50%); } .overview tr { display: grid; grid-template-columns: 1fr 1fr; gap: .5rem; padding: .75rem 0; border-bottom: 1px solid var(--rule); } .overview tr > * { padding: 0; text-align: start; border: 0; } .overview th { grid-column: 1 / -1; } .overview td { white-space: normal; } .overview td::before { display: block; color: var(--quiet); content: attr(data-name); } }
.cover { margin-bottom: 1rem; } .cover h1 { font-size: 1.5rem; line-height: 1.25; font-weight: 650; letter-spacing: -.015em; } .cover a, .person a { color: var(--mark); } .person { margin-top: .25rem; font-size: .8125rem; }
.overview .moved { margin-top: .25rem; }
@media print, (min-width: 40.01rem) { .overview th:first-child { width: 64%; } .contents ul { display: flex; flex-wrap: wrap; gap: 0 2rem; } }
.overview thead th { vertical-align: bottom; } .overview .chip { padding: 0 .375rem; } .overview .sign { margin-inline-end: .25rem; font-size: .75em; } .contents { margin-top: .5rem; font-size: .8125rem; } .contents li { display: flex; flex-wrap: wrap; gap: 0 .75rem; } .contents a { display: inline-block; padding: .25rem 0; } .rated b { color: var(--text); font-weight: 600; }
@media (max-width: 40rem) { .overview tr { grid-template-columns: auto auto auto; gap: .25rem .5rem; } .overview tbody tr:last-child { border: 0; padding-bottom: 0; } .overview tbody tr:first-child { padding-top: 0; } .overview .moved { margin-top: .375rem; } }
.overview + .said { margin-top: 1rem; } .voices { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; } .fact { padding: 0 .5rem; background: var(--track); border-radius: .25rem; }
.more summary { width: max-content; padding: .25rem 0; color: var(--mark); font-size: .8125rem; cursor: pointer; } .more[open] summary { margin-bottom: .625rem; }
h4 { padding-bottom: .375rem; margin: 1.25rem 0 .625rem; font-size: .8125rem; line-height: 1.4; font-weight: 600; border-bottom: 1px solid var(--rule); } header + h4 { margin-top: 0; }
.said .comments li { padding: 0 0 .625rem; margin-bottom: .625rem; border-top: 0; border-bottom: 1px solid var(--rule); break-inside: avoid; }
@media screen and (min-width: 60rem) { .said .comments { columns: 2; column-gap: 3rem; } .breakdowns { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } .breakdowns > :last-child:nth-child(odd) { grid-column: 1 / -1; } .breakdown:not(:last-child:nth-child(odd)) .interval { display: none; } }
@media print { .cover { margin-bottom: 6pt; } .cover h1 { font-size: 11pt; } .cover:has(~ .overview) h1 { font-size: 18pt; } .cover:not(:has(~ .overview)) p { display: inline; } h4 { padding-bottom: 2pt; margin: 6pt 0 4pt; font-size: 8.5pt; break-after: avoid; }
  .survey + .survey, .cover:has(~ .overview) ~ .survey { break-before: page; } .survey + .survey, .card + .survey { padding: 0; margin: 0; border: 0; }
  .voices { display: block; } .voices > * + * { margin-top: 7pt; } .said { display: block; } .said > header { display: flex; } .said > .comments, .survey .comments { display: block; columns: 2; column-gap: 18pt; }
  .said .comments li { padding: 0 0 4pt; margin-bottom: 4pt; } .person { font-size: 8pt; margin-top: 1pt; } .words { margin-top: 2pt; } .said .reasons { margin-top: 1pt; } .key { gap: 0 8pt; line-height: 1.3; } .headline .figure .about { line-height: 1.3; } }
`;
