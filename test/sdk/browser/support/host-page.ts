/** A customer's page, on another origin than the service and with a strict content security policy. */

export interface HostPage {
  readonly key: string;
  readonly service: string;
  readonly user?: string;
  readonly userToken?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  /** `data-options` as raw text, valid or not. */
  readonly rawOptions?: string;
  readonly query?: string;
  /** Replaces `async` in the script tag. */
  readonly loading?: string;
  readonly headingId?: string;
  readonly lang?: string;
  readonly direction?: 'ltr' | 'rtl';
  readonly scheme?: 'light' | 'dark';
  readonly hostile?: boolean;
  readonly place?: string;
  readonly calls?: readonly unknown[][];
  /** Loads this instead of the script-tag build. */
  readonly module?: 'headless' | 'module';
  /** Address of the page's module, which renders into `#root`. */
  readonly script?: string;
  /** Server-rendered content of `#root`. */
  readonly root?: string;
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);

export function policyOf({ service }: HostPage): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src ${service}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}

export function htmlOf(page: HostPage): string {
  const { key, service, user, options, lang = 'en', direction = 'ltr', scheme = 'light', place } = page;
  const attributes = {
    src: `/sdk/canvass.js${page.query ?? ''}`,
    'data-key': key,
    'data-base-url': service,
    ...(user !== undefined && { 'data-user': user }),
    ...(page.userToken !== undefined && { 'data-user-token': page.userToken }),
    ...(options && { 'data-options': JSON.stringify(options) }),
    ...(page.rawOptions !== undefined && { 'data-options': page.rawOptions }),
  };
  const tag = Object.entries(attributes)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(' ');
  return `<!doctype html>
<html lang="${lang}" dir="${direction}" data-scheme="${scheme}" data-calls="${escaped(JSON.stringify(page.calls ?? []))}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Shop</title>
<link rel="stylesheet" href="/host.css">
${page.hostile ? '<link rel="stylesheet" href="/hostile.css">' : ''}
<script src="/host.js"></script>
${page.module ? '' : `<script ${page.loading ?? 'async'} ${tag}></script>`}
${page.script ? `<script type="module" src="${page.script}"></script>` : ''}
</head>
<body>
<main>
<h1 id="${page.headingId ?? ''}">Your order</h1>
<p><button type="button" id="before">Track it</button></p>
${place ? `<div id="place" data-canvass="${place}"></div>` : ''}
${page.script ? `<div id="root">${page.root ?? ''}</div>` : ''}
<p><input id="search" aria-label="Search"></p>
</main>
</body>
</html>`;
}

export const HOST_SCRIPT = `
window.heard = [];
addEventListener('error', (event) => heard.push(event.message));
addEventListener('unhandledrejection', (event) => heard.push(String(event.reason)));
const calls = JSON.parse(document.documentElement.dataset.calls);
if (calls.length) window.canvass = calls;
`;

export const HOST_STYLE = `
html { color-scheme: light; font: 16px/1.5 system-ui, sans-serif; }
html[data-scheme=dark] { color-scheme: dark; }
body { max-width: 40rem; margin: 2rem auto; padding: 0 1rem; }
`;

/** Excludes the page's iframe, because its opacity and transforms also affect its content. */
export const HOSTILE_STYLE = `
* { all: unset !important; font: 40px/3 monospace !important; color: red !important; letter-spacing: 1em !important; word-spacing: 2em !important; text-transform: uppercase !important; text-indent: 50px !important; text-align: right !important; cursor: none !important; visibility: hidden !important; }
:not(html, body) { opacity: 0.1 !important; transform: rotate(3deg) !important; filter: blur(3px) !important; }
html, body { display: block !important; font-size: 40px !important; }
head { display: none !important; }
canvass-survey, canvass-survey * { display: none !important; position: static !important; width: 1px !important; zoom: 3 !important; }
section, form, fieldset, label, legend, input, textarea, button { display: none !important; margin: 99px !important; }
:focus { outline: none !important; }
`;
