/** The frame of every page of a link: its head, and headers that let nothing run, nothing out and nothing be kept. */

import { createHash } from 'node:crypto';
import { type Html, html, trusted } from '../../shared/report/html.ts';
import type { RawReply } from '../runtime/reply.ts';
import type { PageLanguage } from './language.ts';
import { LINK_STYLE } from './style.ts';

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

export function linkPage({ tag, direction }: PageLanguage, title: string, body: Html): RawReply {
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
