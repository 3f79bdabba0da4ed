/**
 * `npm run upgrade:record -- COMMIT` records a release next to this file: its templates, and one bundle of its service
 * and purge steps. Tests upgrade from it and roll back to it. The commit's code runs in a temporary folder with the
 * packages that are installed here.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { type RecordedStack, recordOf, recordTemplate, STAGES } from './recorded-template.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Files whose handlers together read and write rows of every type. */
const ENDPOINTS = [
  'ack-scores',
  'bootstrap',
  'erase',
  'export-responses',
  'get-results',
  'handle-contact',
  'list-comments',
  'list-contacts',
  'list-definitions',
  'list-pending-scores',
  'list-surveys',
  'mint-tokens',
  'put-definitions',
  'revise-response',
  'submit-dismissal',
  'submit-impression',
  'submit-response',
];

const nameOf = (file: string): string => file.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase());

const PARTS = ['answers', 'contacts', 'privacy', 'projects', 'results', 'scores'];

const SERVICE = [
  "export * from './functions/runtime/compose.ts';",
  ...PARTS.map((part) => `export * from './functions/runtime/parts/${part}.ts';`),
  "export { onChange } from './functions/on-change.ts';",
  "export { createRunLease } from './shared/data/scores/run-lease.ts';",
  "export { PURGE_STEP } from './functions/purge.ts';",
  "export { purgeDefinition } from './shared/purge/state-machine.ts';",
  ...ENDPOINTS.map((file) => `import { ${nameOf(file)} } from './functions/${file}.ts';`),
  `export const endpoints = { ${ENDPOINTS.map(nameOf).join(', ')} };`,
].join('\n');

/** The stacks that the commit's app synthesizes, without bundles. */
function stacksOf(
  folder: string,
  stage: string,
  settings: Readonly<Record<string, unknown>>,
): RecordedStack[] {
  const outdir = mkdtempSync(join(folder, 'cdk-'));
  const context = { 'aws:cdk:bundling-stacks': [], stage: 'test', stages: { test: settings } };
  const env = { ...process.env, CDK_CONTEXT_JSON: JSON.stringify(context), CDK_OUTDIR: outdir };
  execFileSync(process.execPath, ['bin/app.ts'], { cwd: folder, env });
  const files = readdirSync(outdir).filter((name) => name.endsWith('.template.json'));
  return files.sort().map((file) => ({
    stage,
    settings,
    name: file.replace('.template.json', ''),
    template: recordTemplate(JSON.parse(readFileSync(join(outdir, file), 'utf8'))),
  }));
}

async function record(commit: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'canvass-recorded-'));
  try {
    const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 2 ** 30 });
    execFileSync('tar', ['x', '-C', folder], { input: archive });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const stacks = Object.entries(STAGES).flatMap(([stage, settings]) => stacksOf(folder, stage, settings));
    writeFileSync(
      recordOf(commit),
      brotliCompressSync(stacks.map((stack) => `${JSON.stringify(stack)}\n`).join('')),
    );
    const { outputFiles } = await build({
      absWorkingDir: folder,
      stdin: { contents: SERVICE, resolveDir: folder, loader: 'ts' },
      bundle: true,
      write: false,
      minify: true,
      platform: 'node',
      target: 'node24',
      format: 'esm',
      packages: 'external',
      define: { BUILT_PAGE_SCRIPT: '""' },
    });
    const bundle = outputFiles[0]?.contents ?? new Uint8Array();
    writeFileSync(join(import.meta.dirname, `service-${commit}.mjs.br`), brotliCompressSync(bundle));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const [commit] = process.argv.slice(2);
if (commit === undefined) throw new Error('Which commit?');
await record(commit);
