/**
 * `npm run upgrade:record -- COMMIT`: what a state that was deployed has to be upgraded from and rolled back to, beside this
 * file: its templates, and its service with the steps of purges in one bundle. Its code runs in a folder of its own, on
 * the packages that are installed here.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { type RecordedStack, recordOf, recordTemplate, STAGES } from './recorded-template.ts';

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

/** The steps of purges and their definition lie together; in 043cd87 each step had a file. */
const PURGE = [
  "export { PURGE_STEP } from './functions/purge.ts';",
  "export { purgeDefinition } from './shared/purge/state-machine.ts';",
];
const PURGE_BY_FILES = [
  ...['begin', 'sweep-shard', 'verify', 'finish', 'record-failure'].map(
    (file) => `import { ${nameOf(file)} } from './functions/purge/${file}.ts';`,
  ),
  'export const PURGE_STEP = {',
  '  Begin: begin, SweepShard: sweepShard, Verify: verify, Finish: finish, RecordFailure: recordFailure,',
  '};',
  "export { purgeDefinition } from './shared/contract/purge-definition.ts';",
];

function serviceIn(folder: string): string {
  const endpoints = ENDPOINTS.filter((file) => existsSync(join(folder, `functions/${file}.ts`)));
  return [
    "export * from './functions/runtime/compose.ts';",
    "export { onChange } from './functions/on-change.ts';",
    "export { createRunLease } from './shared/data/scores/run-lease.ts';",
    ...(existsSync(join(folder, 'functions/purge.ts')) ? PURGE : PURGE_BY_FILES),
    ...endpoints.map((file) => `import { ${nameOf(file)} } from './functions/${file}.ts';`),
    `export const endpoints = { ${endpoints.map(nameOf).join(', ')} };`,
  ].join('\n');
}

/** By the app of that day, without what it bundles; a setting that it refuses is left out. */
function stacksOf(
  folder: string,
  stage: string,
  settings: Readonly<Record<string, unknown>>,
): RecordedStack[] {
  const outdir = mkdtempSync(join(folder, 'cdk-'));
  const context = { 'aws:cdk:bundling-stacks': [], stage: 'test', stages: { test: settings } };
  const env = { ...process.env, CDK_CONTEXT_JSON: JSON.stringify(context), CDK_OUTDIR: outdir };
  const { status, stderr } = spawnSync(process.execPath, ['bin/app.ts'], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  if (status !== 0) {
    const [, unknown] = /Unrecognized keys?: (.*)/.exec(stderr) ?? [];
    if (unknown === undefined) throw new Error(stderr);
    const known = Object.entries(settings).filter(([name]) => !unknown.includes(`"${name}"`));
    return stacksOf(folder, stage, Object.fromEntries(known));
  }
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
      stdin: { contents: serviceIn(folder), resolveDir: folder, loader: 'ts' },
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
