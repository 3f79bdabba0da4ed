/** The page contains no project data. */

import { createHash } from 'node:crypto';
import { html, type Page, trusted } from '../html.ts';
import { consoleNames } from './console-files.ts';

const FILES = '/console/assets/';

/** Shows a message when a file is missing, for example during a deployment. */
const BOOT = `addEventListener('error',e=>{if(/^(SCRIPT|LINK)$/.test(e.target.tagName))document.getElementById('missing').hidden=false},true)`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

function policyFor(tokenEndpoint: string | undefined): string {
  const provider = tokenEndpoint === undefined ? undefined : URL.parse(tokenEndpoint)?.origin;
  return [
    "default-src 'none'",
    `script-src 'self' ${hashOf(BOOT)}`,
    "style-src 'self'",
    `connect-src 'self'${provider === undefined ? '' : ` ${provider}`}`,
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types canvass',
  ].join('; ');
}

export async function consolePage(tokenEndpoint: string | undefined): Promise<Page> {
  const { script, style, parts } = await consoleNames();
  const preloads = parts.map((part) => html`<link rel="modulepreload" href="${FILES}${part}">`);
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Surveys</title>
<script>${trusted(BOOT)}</script>
<link rel="stylesheet" href="${FILES}${style}">
${preloads}
<script type="module" src="${FILES}${script}"></script>
</head>
<body>
<p id="missing" class="missing" role="alert" hidden>The console has been updated. <a href="">Reload it</a>. Your changes stay in this tab until you close it.</p>
<div id="console"></div>
<noscript><p>The console needs JavaScript. To read results without it, create a report: npm run admin -- results report.</p></noscript>
</body>
</html>
`;
  return {
    raw: text,
    headers: {
      'content-type': 'text/html',
      'cache-control': 'no-cache',
      'content-security-policy': policyFor(tokenEndpoint),
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    },
  };
}
