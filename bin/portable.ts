/**
 * `npm run portable -- --stage prod [--out FOLDER]` writes a template and zips for deploying without the CDK
 * (docs/operations.md, "Without the CDK").
 */

import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { App } from 'aws-cdk-lib';
import { zipSync } from 'fflate';
import { CanvassStack, EdgeStack } from '../lib/canvass-stack.ts';
import { BUNDLES } from '../lib/functions/bundles.ts';
import { readSettings } from '../lib/settings/read-settings.ts';
import { SettingsError } from '../lib/settings/settings-error.ts';
import { ROUTES } from '../shared/contract/routes.ts';
import { writeFunctionBundles } from './build/function-bundles.ts';
import { assetsOf, portableTemplate, type Template } from './portable/portable-template.ts';

/** CloudFormation's quotas for templates in S3 and in a request. */
const MOST_BYTES = 1_048_576;
const MOST_BYTES_SENT = 51_200;

const hashed = (content: Uint8Array | string): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 12);

/** Makes the files world-readable on Unix. */
const ATTRIBUTES = { os: 3, attrs: 0o100644 * 0x10000 };

/** Names are sorted and times are fixed, so that zips are reproducible. */
function zip(files: ReadonlyMap<string, Buffer>): Uint8Array {
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  return zipSync(Object.fromEntries(sorted), { level: 9, mtime: new Date(1980, 0, 1), ...ATTRIBUTES });
}

const filesOf = (folder: string): ReadonlyMap<string, Buffer> =>
  new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));

function namesOfBundles(): ReadonlyMap<string, string> {
  const names = readdirSync(BUNDLES);
  return new Map(names.map((name) => [hashed(readFileSync(join(BUNDLES, name, 'index.js'))), name]));
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { stage: { type: 'string' }, out: { type: 'string' } } });
  const names = ROUTES.map(({ name }) => name);
  const given: string | undefined = process.env.CDK_CONTEXT_JSON;
  const { stages }: { stages?: unknown } =
    given === undefined
      ? JSON.parse(readFileSync(new URL('../cdk.json', import.meta.url), 'utf8')).context
      : JSON.parse(given);
  const settings = readSettings({ stage: values.stage, stages }, names);
  const stackName = `${settings.name}-${settings.stage}`;
  const out = resolve(values.out ?? join('dist/portable', stackName));
  await writeFunctionBundles(BUNDLES);
  const outdir = mkdtempSync(join(tmpdir(), 'canvass-portable-'));
  try {
    const app = new App({
      outdir,
      analyticsReporting: false,
      context: { 'aws:cdk:enable-path-metadata': false },
    });
    const stacks = [new CanvassStack(app, settings)];
    if (settings.edge !== undefined) stacks.push(new EdgeStack(app, settings, settings.edge));
    app.synth();
    rmSync(out, { recursive: true, force: true });
    mkdirSync(join(out, 'functions'), { recursive: true });
    const bundles = namesOfBundles();
    for (const { templateFile, stackName: name } of stacks) {
      const template: Template = JSON.parse(readFileSync(join(outdir, templateFile), 'utf8'));
      const keys = new Map<string, string>();
      for (const asset of assetsOf(template)) {
        const files = filesOf(join(outdir, `asset.${asset.replace(/\.zip$/, '')}`));
        const index = files.get('index.js') ?? '';
        const packed = zip(files);
        const key = `functions/${bundles.get(hashed(index))}.${hashed(packed)}.zip`;
        writeFileSync(join(out, key), packed);
        keys.set(asset, key);
      }
      const portable = portableTemplate(
        template,
        (asset) => keys.get(asset) ?? asset,
        settings.alarmEmail ?? '',
      );
      write(out, name, `${JSON.stringify(portable, undefined, 1)}\n`);
    }
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

/** The name contains a hash, because Terraform notices a changed template only if its address changes. */
function write(out: string, stackName: string, text: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes > MOST_BYTES) {
    throw new SettingsError(
      `The template of ${stackName} has ${bytes} bytes, and the limit of CloudFormation is ${MOST_BYTES}.`,
    );
  }
  const file = join(out, `${stackName}.${hashed(text)}.template.json`);
  writeFileSync(file, text);
  const how = bytes > MOST_BYTES_SENT ? 'by template_url' : 'by template_url or template_body';
  console.log(`${relative('', file)}: ${bytes} bytes, ${how}`);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof SettingsError || (error instanceof TypeError && 'code' in error))) throw error;
  console.error(error.message);
  process.exitCode = error instanceof SettingsError ? 1 : 2;
}
