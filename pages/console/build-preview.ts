/**
 * Builds the document of the preview: the widget with all of its languages as one script within it. In a frame of an
 * opaque origin a module would need CORS to fetch its parts.
 */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { minifiedCss } from '../../bin/build/minified-css.ts';
import { html, trusted } from '../html.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface BuiltPreview {
  readonly document: string;
  readonly policy: string;
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** It asks nobody, opens nothing, is its own origin, and only our pages show it. */
const policyFor = (script: string, style: string): string =>
  [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts',
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

async function buildScript(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['pages/console/frame/frame.ts'],
    outdir: 'pages/console/dist',
    write: false,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    tsconfigRaw: {},
    plugins: [minifiedCss],
  });
  return (outputFiles[0]?.text ?? '').trim();
}

async function buildStyle(): Promise<string> {
  const style = readFileSync(new URL('frame/frame.css', import.meta.url), 'utf8');
  const { code } = await transform(style, { loader: 'css', minify: true });
  return code.trim();
}

/** The same sources give the same text. */
export async function buildPreview(): Promise<BuiltPreview> {
  const [script, style] = await Promise.all([buildScript(), buildStyle()]);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Preview</title>
<style>${trusted(style)}</style>
</head>
<body>
<main aria-hidden="true"><header><i></i><i></i><i></i></header><h1></h1><p></p><p></p><p></p></main>
<div id="place"></div>
<main aria-hidden="true"><section><i></i><i></i><i></i></section><p></p><p></p><p></p></main>
<script>${trusted(script)}</script>
</body>
</html>
`;
  return { document: page.text, policy: policyFor(script, style) };
}
