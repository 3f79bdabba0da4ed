import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const SOURCE = ['index', 'scores'].map((name) => `export * from './sdk/server/${name}.ts';`).join('\n');
/** Folders that the client's package may contain. */
const OWN = ['sdk/server/', 'shared/delivery/'];

/** Globals of the WinterTC minimum common API that the SDK may use. */
const { fetch, Request, Response, Headers, URL, AbortController, TextEncoder, TextDecoder, crypto } =
  globalThis;
const { setTimeout, clearTimeout, btoa, atob } = globalThis;
const EDGE = { fetch, Request, Response, Headers, URL, AbortController, TextEncoder, TextDecoder, crypto };

async function bundled() {
  return build({
    stdin: { contents: SOURCE, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    write: false,
    metafile: true,
    format: 'cjs',
    platform: 'neutral',
    target: 'es2022',
  });
}

it('depends on no package, and on nothing from Node or the service', async () => {
  const { metafile, warnings } = await bundled();
  expect(warnings).toEqual([]);
  const inputs = Object.keys(metafile.inputs).filter((input) => input !== '<stdin>');
  expect(inputs.filter((input) => !OWN.some((folder) => input.startsWith(folder)))).toEqual([]);
  expect(
    Object.values(metafile.inputs).flatMap(({ imports }) => imports.filter(({ external }) => external)),
  ).toEqual([]);
});

it('runs with only the web’s globals', async () => {
  const { outputFiles } = await bundled();
  const module = { exports: {} as Record<string, (options: object) => { name: string }> };
  runInNewContext(outputFiles[0]?.text ?? '', { module, ...EDGE, setTimeout, clearTimeout, btoa, atob });
  const { createLangfuseDestination, createCanvassClient } = module.exports;
  const keys = { publicKey: 'pk', secretKey: 'sk' };
  expect(createLangfuseDestination?.({ baseUrl: 'https://langfuse.test', ...keys }).name).toBe('langfuse');
  expect(createCanvassClient?.({ baseUrl: 'https://canvass.test', secretKey: 'svc_sk_p_x' })).toBeDefined();
});
