/** The style of results for any width, light and dark mode, forced colors, and A4. */
export const SURVEY_STYLE = `
:root { color-scheme: light dark; --mark: light-dark(#5145e5, #9d97ff); --low: light-dark(#d64532, #ff7d6b);
  --middle: light-dark(#8a92a3, #7c8596); --high: light-dark(#12935f, #3fcf94); --rule: light-dark(#e3e6ec, #2a2e37);
  --track: light-dark(#eef0f4, #23272f); --quiet: light-dark(#5c6473, #a3abb9); --back: light-dark(#f6f7f9, #0d0f13);
  --card: light-dark(#fff, #15181e); --text: light-dark(#14171f, #eef0f4); --low-back: light-dark(#fdecea, #3a1c19);
  --low-text: light-dark(#a5281a, #ffb0a4); --middle-back: light-dark(#eef0f4, #262b34); --middle-text: light-dark(#464e5d, #c3cad6);
  --high-back: light-dark(#e3f6ed, #11301f); --high-text: light-dark(#0b6b43, #7fe3b6); --halves: minmax(0, 1fr) minmax(0, 1fr); }
* { box-sizing: border-box; }
body { margin: 0; font: .875rem/1.5 Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; color: var(--text);
  background: var(--back); overflow-wrap: anywhere; -webkit-text-size-adjust: 100%; }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1, h2, h3, p, dl, dd, ul, ol { margin: 0; } ul, ol { padding: 0; list-style: none; }
h1 { font-size: 1rem; line-height: 1.5; font-weight: 600; }
.coloured::before { display: inline-block; width: .75em; height: .75em; margin-inline-end: .5em; content: ''; background: var(--own); border-radius: .2em; print-color-adjust: exact; }
h2 { font-size: 1.5rem; line-height: 1.25; font-weight: 650; letter-spacing: -.015em; text-wrap: balance; }
h3 { font-size: .875rem; line-height: 1.4; font-weight: 600; } h3 .about { margin-inline-start: .25rem; font-weight: 400; }
.about, time { color: var(--quiet); font-size: .8125rem; }
.card { min-width: 0; padding: 1.25rem; background: var(--card); border: 1px solid var(--rule); border-radius: .75rem;
  box-shadow: 0 1px 2px light-dark(#1018280a, #0000); }
.card > header { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between; margin-bottom: 1rem; }
.survey, .breakdowns, .charts, .people { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; } .survey > h2 { margin-top: .25rem; } .breakdowns:empty { display: none; } .breakdown h3 .about { display: block; margin: 0; } .survey > h2 + .about { margin: -.75rem 0 .25rem; }
.survey + .survey { padding-top: 2.5rem; margin-top: 2.5rem; border-top: 1px solid var(--rule); }
.headline { display: grid; gap: 1.25rem 2.5rem; }
.score { display: flex; flex-wrap: wrap; gap: 0 .75rem; align-items: baseline; margin: .25rem 0 .375rem; }
.score strong { font-size: 3rem; line-height: 1.15; font-weight: 650; letter-spacing: -.035em; font-variant-numeric: tabular-nums; }
.difference { margin-bottom: .25rem; } .chip { display: inline-block; padding: 0 .5rem; font-weight: 600; color: var(--middle-text); background: var(--middle-back); border-radius: 1rem; }
.chip.up { color: var(--high-text); background: var(--high-back); } .chip.down { color: var(--low-text); background: var(--low-back); }
.stack { display: block; height: 1.75rem; margin: .75rem 0 1rem; border-radius: .375rem; }
.parts ul { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; justify-content: space-between; }
.parts li { display: grid; grid-template-columns: auto auto 1fr; gap: 0 .5rem; align-items: baseline; } .parts .name { grid-column: 2 / -1; } .parts :is(strong, .about) { white-space: nowrap; }
.parts li strong { grid-column: 2; font-size: 1.25rem; line-height: 1.4; font-variant-numeric: tabular-nums; }
.tiles { display: grid; grid-auto-rows: 1fr; grid-template-columns: 1fr 1fr; gap: 1rem; }
.tiles .card { padding: 1rem; } dt { color: var(--quiet); font-size: .8125rem; font-weight: 500; }
dd { font-size: 1.5rem; line-height: 1.35; font-weight: 600; letter-spacing: -.02em; font-variant-numeric: tabular-nums; }
dd.about { font-weight: 400; font-size: .8125rem; line-height: 1.4; letter-spacing: 0; }
@media (min-width: 40rem) { main { padding-inline: 1.5rem; } .tiles { grid-template-columns: repeat(4, minmax(0, 1fr)); } }
@media (min-width: 60rem) { .headline, .charts { grid-template-columns: var(--halves); } .headline { column-gap: calc(3.5rem + 2px); } .charts .card > header { min-height: 2.25rem; } }
.plot { display: flex; } .ticks { flex: none; } .area { position: relative; flex: 1; min-width: 0; } svg { display: block; overflow: visible; }
.stack { overflow: hidden; }
svg text { font-size: .75rem; fill: var(--quiet); font-variant-numeric: tabular-nums; } svg .strong { fill: var(--text); font-weight: 600; } .area .strong { stroke: var(--card); stroke-width: 3px; paint-order: stroke; }
svg .word { font-size: .8125rem; fill: var(--text); }
text.middle { text-anchor: middle; } .end { text-anchor: end; }
.grid { stroke: var(--rule); } .zero { stroke: var(--middle); } .track { fill: var(--track); }
.bar.low { fill: var(--low); } .bar.middle { fill: var(--middle); } .bar.high { fill: var(--high); } .stack .bar { stroke: var(--card); }
.count { fill: var(--mark); fill-opacity: .35; } .count.part { fill-opacity: .14; stroke: var(--mark); stroke-opacity: .6; stroke-dasharray: 3 2; } .dot { fill: var(--mark); stroke: var(--card); stroke-width: 2; } .dot.thin { fill: var(--card); stroke: color-mix(in srgb, var(--mark) 55%, var(--card)); } .lone { fill: none; stroke: var(--mark); stroke-opacity: .4; stroke-width: 2; } .whisker { stroke: var(--mark); stroke-width: 2; }
.before { stroke: var(--quiet); stroke-dasharray: 1 3; } .line.part { stroke-dasharray: 4 3; } .line { fill: none; stroke: var(--mark); stroke-width: 2; stroke-linejoin: round; vector-effect: non-scaling-stroke; } .band { fill: var(--mark); fill-opacity: .14; }
.chart { display: flex; flex-direction: column; } .chart > .about { margin-top: .5rem; } .key { display: flex; flex-wrap: wrap; gap: .125rem .875rem; } .key li { display: flex; gap: .375rem; align-items: center; } .key svg { flex: none; }
@media print, (max-width: 40rem) { .unit { display: none; } } @media screen and (min-width: 40.01rem) { .narrow { display: none; } } @media (max-width: 30rem) { .spare { display: none; } }
table { width: 100%; border-collapse: collapse; font-size: .8125rem; font-variant-numeric: tabular-nums; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
th, td { padding: .375rem .5rem; text-align: end; font-weight: 400; border-bottom: 1px solid var(--rule); }
thead th { color: var(--quiet); font-weight: 500; } tbody tr:last-child > * { border-bottom: 0; }
th:first-child, td:first-child { padding-inline-start: 0; text-align: start; } th:last-child, td:last-child { padding-inline-end: 0; }
td, thead th { overflow-wrap: normal; } tr { break-inside: avoid; } .scrolls { position: relative; } .card .scrolls th:first-child { min-width: 6.5rem; }
.numbers { padding-top: .75rem; margin-top: auto; } .numbers summary { width: max-content; max-width: 100%; padding: .25rem 0; color: var(--quiet); font-size: .8125rem; cursor: pointer; }
.numbers summary:hover { color: var(--text); } .scrolls { max-height: 24rem; margin-top: .25rem; overflow: auto; }
.segment th:first-child { width: 22%; } .segment .drawn { width: 36%; padding: 0 1.75rem 0 1rem; } .segment .interval { color: var(--quiet); }
.segment tbody td { white-space: nowrap; }
@media (max-width: 40rem) { .parts ul { display: grid; justify-content: stretch; } .parts li { grid-template-columns: auto 1fr auto minmax(2.5rem, auto); } .parts li > * { grid-column: auto !important; text-align: end; } .parts .name { text-align: start; } .segment .interval { display: none; } h2 { font-size: 1.25rem; } .segment tr { display: grid; grid-template-columns: minmax(0, 1fr) 3.5rem 5rem minmax(4.5rem, auto); column-gap: .375rem; align-items: center; padding: .25rem 0; border-bottom: 1px solid var(--rule); } .segment.reasons tr { grid-template-columns: minmax(0, 1fr) 5.5rem; } .segment tbody tr:last-child { border: 0; }
  .segment th, .segment td { width: auto !important; padding: .125rem 0; border: 0; } .segment .drawn { grid-row: 2; grid-column: 1 / -1; padding: 0 .5rem; } .segment.reasons .drawn { padding: 0; } .segment .drawn svg { height: 1.25rem; } .segment thead th { align-self: end; } }
@media screen and (min-width: 60rem) { .survey .comments { columns: 2; column-gap: 3rem; } .survey .comments li { break-inside: avoid; } }
.comments li { padding: .75rem 0; border-top: 1px solid var(--rule); }
.rated { display: flex; flex-wrap: wrap; gap: .25rem .5rem; align-items: center; color: var(--quiet); font-size: .8125rem; }
.rated strong { min-width: 1.75rem; padding: .0625rem .5rem; text-align: center; font-weight: 600; border-radius: 1rem; font-variant-numeric: tabular-nums; }
.rated .low { color: var(--low-text); background: var(--low-back); } .rated .middle { color: var(--middle-text); background: var(--middle-back); }
.rated .high { color: var(--high-text); background: var(--high-back); }
.facts { display: inline-flex; flex-wrap: wrap; gap: .25rem .5rem; }
.words { margin-top: .375rem; white-space: pre-wrap; unicode-bidi: isolate; }
.reasons { display: flex; flex-wrap: wrap; gap: .375rem; margin-top: .375rem; } .reasons span { padding: 0 .5rem; font-size: .8125rem; border: 1px solid var(--rule); border-radius: 1rem; }
.answers { display: grid; gap: .25rem; margin: .375rem 0 0; font-size: .875rem; } .answers dt { color: var(--quiet); font-size: .8125rem; } .answers dd { margin: 0; font: inherit; overflow-wrap: anywhere; white-space: pre-line; }
table.reasons { display: table; margin: 0; } .chart table.reasons { margin-bottom: 1.25rem; } .charts > :only-child { grid-column: 1 / -1; } @media screen { .reasons .drawn { width: 45%; padding-inline: 1rem; } } table.reasons th:first-child { width: 40%; }
@media (forced-colors: active) { :root { --mark: Highlight; --low: CanvasText; --middle: GrayText; --high: Highlight; --rule: GrayText;
  --track: Canvas; --quiet: CanvasText; --back: Canvas; --card: Canvas; --text: CanvasText; } .bar { stroke: CanvasText; } .rated strong { border: 1px solid; } }
@page { size: A4; margin: 12mm; @bottom-left { width: 75%; font: 7.5pt system-ui, sans-serif; color: #5c6473; content: var(--foot, ''); } @bottom-right { font: 7.5pt system-ui, sans-serif; color: #5c6473; content: 'Page ' counter(page) ' of ' counter(pages); } }
@media screen { .printed { display: none; } .comments:first-of-type > :first-child { border-top: 0; padding-top: 0; } }
@media print { :root { color-scheme: light; --back: #fff; } body { font-size: 9pt; } main { max-width: none; padding: 0 1pt 0 0; } svg, .chip, .rated strong, .fact { print-color-adjust: exact; }
  .about, time, dt, dd.about, table, .rated, .rated strong, .reasons span, .fact, svg text, svg .word { font-size: 8pt; } h2 { font-size: 14pt; text-wrap: wrap; }
  .card { padding: 9pt; box-shadow: none; break-inside: avoid; } .survey, .tiles, .charts { gap: 7pt; } .survey > h2 + .about { margin-top: -5pt; } h2, h2 + .about, h3, header { break-after: avoid; }
  .survey + .survey { padding-top: 12pt; margin-top: 12pt; } .tiles { grid-template-columns: repeat(4, minmax(0, 1fr)); } .tiles .card { padding: 6pt 9pt; } dd { font-size: 14pt; }
  .headline, .charts { grid-template-columns: var(--halves); } .headline { column-gap: calc(25pt + 2px); }
  .score strong { font-size: 28pt; } .parts ul { display: grid; grid-template-columns: repeat(3, auto); gap: 6pt; } .parts li .about { grid-column: 2; } .parts li strong { font-size: 12pt; } .card > header { margin-bottom: 5pt; } .numbers { display: none; }
  .stack { height: 14pt; margin: 6pt 0; } .plot { zoom: .8; } .plot svg text, .plot svg .word { font-size: 10pt; } .chart > .about { margin-top: 2pt; }
  .breakdown h3 .about { display: inline; margin-inline-start: 4pt; } .legend { display: none; } .breakdowns { grid-template-columns: var(--halves); gap: 7pt; align-items: start; } .breakdowns > :last-child:nth-child(odd) { grid-column: 1 / -1; }
  .segment svg { height: 11.5pt; } .segment th, .segment td { padding: 0 3pt; line-height: 1.3; } .segment th:first-child { width: 36%; } .segment .drawn { width: 30%; padding: 0 8pt; } .breakdown:not(:last-child:nth-child(odd)) .interval, .lows { display: none; } .breakdown:not(:last-child:nth-child(odd)) .drawn { width: 28%; padding: 0 5pt; }
  .segment tbody th > * { display: -webkit-box; padding: 0 1pt; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 2; } .breakdowns:has(> :nth-child(4)) table:not(.reasons) tbody th > * { -webkit-line-clamp: 1; }
  .breakdown table.reasons th:first-child { width: 60%; } .breakdown table.reasons .drawn { width: 20%; }
  .unprinted { display: none !important; } .said { display: table; width: 100%; border-spacing: 0; break-inside: auto; box-decoration-break: clone; } .said > header { display: table-header-group; break-inside: avoid; } .said > .comments { display: table-cell; } .survey .comments { columns: 2; column-gap: 18pt; }
  .said header > * { display: inline; } .said header > p { margin-inline-start: 6pt; } .comments li { padding: 5pt 0; break-inside: avoid; }
  .words, .rated, .said .reasons, .person, .handle { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 2; } .words { -webkit-line-clamp: 3; white-space: normal; }
  .rated > * + * { margin-inline-start: 4pt; } .said .reasons span { padding: 0; border: 0; } .said .reasons span + span::before { content: ' · '; } }
`;

/** Removes needless whitespace. Works for our own style sheets, whose strings have no space after punctuation. */
export const compactCss = (css: string): string =>
  css
    .replace(/\s*\n\s*/g, ' ')
    .replace(/([:;,{}]) /g, '$1')
    .replace(/ ([{}])/g, '$1')
    .replaceAll(';}', '}');
