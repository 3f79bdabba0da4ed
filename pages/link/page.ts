/** The frame of all link pages. */

import { createHash } from 'node:crypto';
import { readableAccent } from '../../shared/domain/accent.ts';
import type { Appearance } from '../../shared/domain/project.ts';
import { type Html, html, type Page, trusted } from '../html.ts';
import type { PageLanguage } from './language.ts';

/** The background of the card in light and dark mode. */
const GROUNDS = ['#ffffff', '#1c1e22'] as const;

/** Keep similar to sdk/browser/widget/widget.css. */
const LINK_STYLE = `
:root{color-scheme:light dark;--a:light-dark(#34c,#abf);--c:light-dark(${GROUNDS});--t:light-dark(#000,#fff);
--q:light-dark(#595959,#b8b8bc);--l:#8886;--f:#888;--i:light-dark(#fff,#282b30)}
*{box-sizing:border-box;padding:0;margin:0;font:inherit;color:inherit;background:none;border:0 solid;border-radius:10px}
body{display:grid;min-height:100vh;min-height:100dvh;font:medium/1.5 system-ui,sans-serif;color:var(--t);
background:var(--c);border-radius:0;overflow-wrap:anywhere;word-break:auto-phrase}
main{width:100%;max-width:36em;padding:24px 16px 32px;margin:0 auto auto}
@media (min-width:560px){:root{scrollbar-gutter:stable}
body{padding:24px;background:light-dark(#f4f4f7,#101114)}
main{padding:32px 36px 36px;margin:10vh auto auto;background:var(--c);border:1px solid #8883;
box-shadow:0 1px 2px #0000000a,0 12px 40px #00000014}}
.from{display:flex;gap:10px;align-items:center;margin-bottom:28px;font-weight:600;text-align:left;text-wrap:balance}
[dir=rtl] .from{text-align:right}
.from span{display:grid;flex:none;place-items:center;width:32px;height:32px;color:var(--c);background:var(--a)}
h1{margin-bottom:20px;font-size:1.375em;font-weight:650;line-height:1.3;text-wrap:balance}
fieldset{min-width:0;margin-bottom:28px}
.values{display:flex;background:var(--i);border:1px solid var(--l)}
.values label{position:relative;display:grid;flex:1 1 0;place-items:center;min-width:0;min-height:48px;padding:4px 1px;
font-variant-numeric:tabular-nums;line-height:1.2;text-align:center;cursor:pointer;border:1px solid #0000}
:is(.nps,.num) label{padding:0;font-size:min(1em,4vw);overflow-wrap:normal}
.thumbs,.list{gap:12px;background:none;border:0}
.thumbs label,.list label{background:var(--i);border-color:var(--l)}
.thumbs label{padding:14px 8px}
.thumbs span,.sign{display:grid;gap:6px;place-items:center;text-wrap:balance}
.list{display:grid}
.list label{place-items:center start;padding:10px 14px;text-align:start}
:is(.values,.why) label,.box input{transition:color .15s,background .15s,border-color .15s}
@media (hover:hover){:is(.values,.why) label:hover,.box:hover input:not(:checked){background:color-mix(in srgb,var(--a) 12%,var(--i))}
.box:hover input{border-color:var(--a)}
.send:hover{filter:brightness(.92)}}
:is(.values,.why) label:active,.box:active input:not(:checked){background:color-mix(in srgb,var(--a) 24%,var(--i))}
:is(.values,.why) label:has(:checked){color:var(--c);background:var(--a);border-color:var(--a)}
svg{display:block;width:28px;fill:none;stroke:currentcolor;stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round}
.ends{display:flex;gap:16px;justify-content:space-between;margin-top:8px;font-size:.8125em;color:var(--q);text-wrap:balance}
.ends :last-child{text-align:end}
form{display:grid;grid-template-columns:1fr auto}
form>*{grid-column:1/-1}
.ask{display:grid;margin-bottom:8px;font-weight:600;text-wrap:balance}
.q{margin-bottom:20px}
.q legend,.q>label{display:block;margin-bottom:8px;font-weight:600;text-wrap:balance}
.q textarea{display:block;width:100%;margin:0}
.why{display:flex;flex-wrap:wrap;gap:8px;margin-bottom:14px}
.q .why{margin:0}
.why label{position:relative;min-height:44px;padding:9px 14px;cursor:pointer;background:var(--i);border:1px solid var(--l)}
textarea{min-height:94px;padding:10px 14px;margin-bottom:16px;resize:none;field-sizing:content;background:var(--i);border:1px solid var(--f)}
textarea:placeholder-shown{direction:inherit}
::placeholder{color:var(--q);opacity:1}
.box{display:flex;gap:12px;align-items:center;width:fit-content;min-height:44px;grid-column:1;margin-inline-end:24px;text-wrap:balance;cursor:pointer}
.box input{display:grid;flex:none;place-items:center;width:24px;height:24px;appearance:none;cursor:pointer;background:var(--i);
border:1px solid var(--f);border-radius:6px}
.box input:checked{background:var(--a);border-color:var(--a)}
.box :checked::before{width:14px;height:14px;content:'';background:var(--c);border-radius:0;clip-path:polygon(14% 44%,0 60%,40% 95%,100% 22%,84% 8%,38% 64%)}
.send{display:block;width:fit-content;min-width:8em;min-height:48px;padding:11px 28px;font-weight:600;color:var(--c);text-align:center;
text-decoration:none;cursor:pointer;background:var(--a);transition:.15s;transition-property:color,background,filter}
.send:active{filter:brightness(.84)}
form:not(:has([name=rating]:checked,textarea:valid:required)) .send{color:var(--q);background:color-mix(in srgb,var(--t) 10%,var(--c))}
.badge{margin-top:24px;font-size:.8125em;color:var(--q)}
.said{padding-top:8px;text-align:center}
main:has(.said){margin:auto}
:has(.said) .from{flex-wrap:wrap;justify-content:center;text-align:center}
.said h1{margin:0}
.said p{margin-top:8px;color:var(--q);text-wrap:balance}
form .send{grid-column:2}
.said blockquote{margin:16px 0 0;white-space:pre-wrap;overflow-wrap:anywhere;text-align:start}
.said .send{margin:24px auto 0}
.sign{margin:0 0 12px;color:var(--a)}
.sign svg{width:48px}
:focus-visible{outline:2px solid var(--a);outline-offset:2px}
@media (max-width:559px){.ends{gap:12px;font-size:.75em}
.box{margin:-8px 0 16px}
form .send{grid-column:1/-1;width:100%}}
@supports selector(:has(a)){:is(.values,.why) input{position:absolute;inset:-1px;appearance:none;cursor:pointer}
.own,form:has(.l:checked,:is(.nps,.list) :checked) .any,form:not(:has(.l:checked))>:is(.why,.box){display:none}
form:has(.l:checked,:is(.nps,.list) :checked) .own{display:block}}
@media (prefers-reduced-motion:reduce){*{transition:none!important}}
@media (forced-colors:active){.send,.from span{border:1px solid}
.box input{appearance:auto}
:is(.values,.why) label:has(:checked){forced-color-adjust:none;color:HighlightText;background:Highlight}}
`;

const hashOf = (style: string): string => `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
const STYLE_HASH = hashOf(LINK_STYLE);

/** The address contains the token, so it must not reach referrers, search engines, or caches. */
const headersWith = (hashes: string) => ({
  'content-type': 'text/html',
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src ${hashes}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  vary: 'accept-language',
  'x-robots-tag': 'noindex',
});

/** Writes two parsed colors, so that a project cannot inject CSS. */
function accentStyle(accent = ''): string | undefined {
  const [light, dark] = GROUNDS.map((ground) => readableAccent(accent, ground));
  return light && dark && `:root{--a:light-dark(${light},${dark})}`;
}

export const CIRCLE = 'M12 2a10 10 0 1 0 .01 0z';

/** Draws on a 24×24 grid, hidden from assistive technology. */
export const drawing = (path: string, turn = 0): Html =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}" transform="rotate(${turn} 12 12)"/></svg>`;

function from({ name }: Appearance): Html {
  const [{ segment: first = '' } = {}] = new Intl.Segmenter().segment(name);
  return html`<p class="from"><span aria-hidden="true">${first.toUpperCase()}</span><bdi>${name}</bdi></p>`;
}

export const languageMarks = (own: PageLanguage, page: PageLanguage): Html =>
  own.tag === page.tag ? html`` : html` lang="${own.tag}" dir="${own.direction}"`;

/**
 * @param asker undefined if it is unknown or secret
 * @param further rules of this page, which contain no text of a survey
 */
export function linkPage(
  { tag, direction }: PageLanguage,
  asker: Appearance | undefined,
  title: string,
  body: Html,
  further = '',
): Page {
  const style = (accentStyle(asker?.accent) ?? '') + further;
  const own = style === '' ? '' : html`<style>${trusted(style)}</style>`;
  const page = html`<!doctype html>
<html lang="${tag}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${asker === undefined ? title : `${title} · ${asker.name}`}</title>
<style>${trusted(LINK_STYLE)}</style>
${own}
</head>
<body>
<main>
${asker === undefined ? '' : from(asker)}
${body}
</main>
</body>
</html>
`;
  return {
    raw: page.text,
    headers: headersWith(style === '' ? STYLE_HASH : `${STYLE_HASH} ${hashOf(style)}`),
  };
}
