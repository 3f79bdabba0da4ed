/** The frame of every page of a link: its head, and headers that let nothing run, nothing out and nothing be kept. */

import { createHash } from 'node:crypto';
import { type Html, html, type Page, trusted } from '../html.ts';
import type { PageLanguage } from './language.ts';

/** How the pages of a link look: as the widget does (sdk/browser/widget.css), on a page of its own. */
const LINK_STYLE = `
:root{color-scheme:light dark;--a:light-dark(#34c,#abf);--o:light-dark(#fff,#000);--l:#888}
*{box-sizing:border-box;padding:0;margin:0;font:inherit;color:inherit;background:none;border:0 solid;border-radius:10px}
body{min-height:100vh;padding:max(16px,4vh) 8px;font:medium/1.5 system-ui,sans-serif;color:CanvasText;
background:light-dark(#f2f2f5,#111);border-radius:0;overflow-wrap:anywhere}
main{max-width:32em;padding:18px;margin:auto;background:light-dark(#fff,#222);border:1px solid #8884;
box-shadow:0 8px 40px #0003}
.title{display:block;margin-bottom:12px;font-size:1.1em;font-weight:600}
.title:not(:first-child),textarea+.title{margin-top:20px}
.hint{display:block;font-size:.8rem;font-weight:400}
label,button,input{min-height:44px;cursor:pointer}
label.title{min-height:0}
fieldset{min-width:0}
.values{display:flex;flex-wrap:wrap;overflow:hidden}
.values label{position:relative;display:grid;flex:1 0 24px;place-items:center;font-size:min(1em,4vw);border-radius:0;
box-shadow:1px 0 var(--l),0 1px var(--l)}
.values,input,textarea{width:100%;border:1px solid var(--l)}
input,textarea,.pmf label{padding:10px 12px}
textarea{resize:vertical;cursor:text}
.pmf{display:block}
.values input{position:absolute;inset:0;height:100%;padding:0;appearance:none;border:0;outline-offset:-3px}
.values label:hover{background:#8883}
.values label:has(:checked),.send{color:var(--o);background:var(--a)}
.thumbs label{font-size:1.6em}
svg{display:block;width:28px;fill:none;stroke:currentcolor;stroke-width:1.6;stroke-linecap:round}
.ends{display:flex;gap:12px;margin-top:8px;font-size:.8em}
.ends :last-child{margin-inline-start:auto;text-align:end}
.badge{margin-top:16px;font-size:.8em}
.send{display:inline-block;padding:10px 24px;margin-top:16px;font-weight:600}
a{color:var(--a)}
:focus-visible{outline:3px solid;outline-offset:2px}
@media (forced-colors:active){.send,.values label{border:1px solid}
.values label:has(:checked){forced-color-adjust:none;color:HighlightText;background:Highlight}}
`;

const STYLE_HASH = `'sha256-${createHash('sha256').update(LINK_STYLE).digest('base64')}'`;

/** The address of the page holds the token: no referrer tells it, no search engine lists it, no cache keeps it. */
const HEADERS = {
  'content-type': 'text/html',
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src ${STYLE_HASH}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  vary: 'accept-language',
  'x-robots-tag': 'noindex',
} as const;

export function linkPage({ tag, direction }: PageLanguage, title: string, body: Html): Page {
  const page = html`<!doctype html>
<html lang="${tag}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${trusted(LINK_STYLE)}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
  return { raw: page.text, headers: HEADERS };
}
