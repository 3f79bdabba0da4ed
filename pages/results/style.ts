/** How results look: on a screen of any width, light, dark, in forced colours, and on A4. */
export const REPORT_STYLE = `
:root { color-scheme: light dark; --mark: light-dark(#1f57b8, #9dbdff); --low: light-dark(#b3401f, #ff9d7d);
  --middle: light-dark(#77777f, #a5a5ad); --high: light-dark(#1c7a4b, #6fd6a2); --rule: light-dark(#d5d5da, #46464d);
  --quiet: light-dark(#5a5a62, #b4b4bd); --back: light-dark(#fff, #17171a); --text: light-dark(#1a1a1e, #f1f1f4); }
* { box-sizing: border-box; }
body { max-width: 62rem; margin: 0 auto; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--text);
  background: var(--back); overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; } h2 { margin: 0; font-size: 1.4rem; line-height: 1.25; } h3 { margin: 0 0 .5rem; font-size: 1rem; }
.about, figcaption, dt, time { color: var(--quiet); }
.about { margin: .25rem 0 1rem; }
.survey { padding-top: 1.5rem; margin-top: 1.5rem; border-top: 1px solid var(--rule); }
.score { margin: 0 0 1rem; } .score strong { margin-right: .5rem; font-size: 3rem; line-height: 1; }
.score span { display: inline-block; margin-right: 1rem; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: .75rem; margin: 0; }
dd { margin: 0; font-size: 1.15rem; font-variant-numeric: tabular-nums; } dt { font-size: .85rem; }
.chart { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 2rem; margin-top: 2rem; break-inside: avoid; }
.chart h3 { grid-column: 1 / -1; }
@media (min-width: 48rem) { .chart { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); align-items: start; } }
.said { margin-top: 2rem; }
figure { margin: 0; } figcaption { font-size: .85rem; } svg { display: block; width: 100%; height: auto; }
svg text { font: 11px system-ui, sans-serif; fill: var(--text); }
.middle { text-anchor: middle; } .end { text-anchor: end; } .strong { font-weight: 600; }
.axis { stroke: var(--quiet); } .grid { stroke: var(--rule); }
.bar.low { fill: var(--low); } .bar.middle { fill: var(--middle); } .bar.high { fill: var(--high); }
.count { fill: var(--middle); } .dot { fill: var(--mark); } .whisker { stroke: var(--mark); stroke-width: 2; }
.line { fill: none; stroke: var(--mark); stroke-width: 2; } .band { fill: var(--mark); fill-opacity: .2; }
table { width: 100%; border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
th, td { padding: .15rem .4rem; text-align: right; border-bottom: 1px solid var(--rule); vertical-align: top; }
th:first-child { text-align: start; } tbody th { min-width: 5.5rem; font-weight: 400; } td, thead th { overflow-wrap: normal; } tr { break-inside: avoid; }
@media (max-width: 30rem) { table { font-size: .72rem; } th, td { padding: .15rem; } tbody th { min-width: 4.2rem; } thead th { font-size: .62rem; } }
.comments { padding: 0; margin: 0; list-style: none; } .comments li { padding: .6rem 0; border-bottom: 1px solid var(--rule); }
.comments p { margin: 0; } .rated strong { display: inline-block; min-width: 2rem; } .words { white-space: pre-wrap; unicode-bidi: isolate; }
@media (forced-colors: active) { :root { --mark: Highlight; --low: CanvasText; --middle: GrayText; --high: Highlight;
  --rule: GrayText; --quiet: CanvasText; --back: Canvas; --text: CanvasText; } }
@page { size: A4; margin: 15mm; }
@media print { :root { color-scheme: light; } body { max-width: none; padding: 0; font-size: 10pt; }
  .survey + .survey { break-before: page; border: 0; } svg { print-color-adjust: exact; } h2, h3 { break-after: avoid; }
  figure, .headline { break-inside: avoid; } .chart:has(tr:nth-child(30)) { break-inside: auto; }
  .comments li { break-inside: avoid-page; } }
`;
