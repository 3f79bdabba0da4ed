/**
 * `npm run upgrade:record -- COMMIT`: what a state that was deployed has to be upgraded from and rolled back to, beside this
 * file: its templates, as far as CloudFormation replaces by them, and its service in one bundle. Its code runs in a
 * folder of its own, on the packages that are installed here.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { recordTemplate, STAGES } from './recorded-template.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Routes whose handlers read or write rows of every type, by their file. */
const ENDPOINTS = [
  'ack-scores',
  'bootstrap',
  'erase',
  'export-responses',
  'get-results',
  'handle-contact',
  'list-comments',
  'list-contacts',
  'list-pending-scores',
  'list-surveys',
  'mint-tokens',
  'revise-response',
  'submit-dismissal',
  'submit-impression',
  'submit-response',
];

const nameOf = (file: string): string => file.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase());

const SERVICE = [
  "export * from './functions/runtime/compose.ts';",
  "export { onChange } from './functions/on-change.ts';",
  "export { createRunLease } from './shared/data/scores/run-lease.ts';",
  ...ENDPOINTS.map((file) => `import { ${nameOf(file)} } from './functions/${file}.ts';`),
  `export const endpoints = { ${ENDPOINTS.map(nameOf).join(', ')} };`,
].join('\n');

/** Says the resources of each stage, whose settings it is told. */
const TEMPLATES = `
  const { aTemplate } = await import('./test/support/stack/synthesised-stack.ts');
  const stages = Object.entries(JSON.parse(process.argv[2]));
  const resources = stages.map(([name, settings]) => [name, aTemplate(settings).toJSON().Resources]);
  process.stdout.write(JSON.stringify(Object.fromEntries(resources)));`;

async function record(commit: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'canvass-recorded-'));
  try {
    const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 2 ** 30 });
    execFileSync('tar', ['x', '-C', folder], { input: archive });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'templates.ts'), TEMPLATES);
    const args = ['templates.ts', JSON.stringify(STAGES)];
    const stages = JSON.parse(
      execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 30 }),
    );
    const recorded = Object.keys(stages).flatMap((stage) => recordTemplate(stage, stages[stage]));
    const lines = recorded.map((resource) => `${JSON.stringify(resource)}\n`).join('');
    const templates = join(import.meta.dirname, `templates-${commit}.jsonl.br`);
    writeFileSync(templates, brotliCompressSync(lines));
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
