/** Licenses require that their text comes with bundled packages. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Metafile } from 'esbuild';
import * as z from 'zod/mini';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PACKAGE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;
const description = z.object({ name: z.string(), version: z.string(), license: z.string() });

const foldersOf = ({ inputs }: Metafile): readonly string[] =>
  Object.keys(inputs).flatMap((path) => PACKAGE.exec(path)?.[1] ?? []);

/** For packages that have their copyright notice only in the README. */
function readmeText(folder: string): string {
  const copyright = /Copyright .*/.exec(readFileSync(join(folder, 'README.md'), 'utf8'))?.[0];
  const terms = /Permission is hereby granted[\s\S]*/.exec(readFileSync(join(ROOT, 'LICENSE'), 'utf8'))?.[0];
  if (copyright === undefined || terms === undefined) throw new Error(`${folder} has no text of its licence`);
  return `MIT License\n\n${copyright}\n\n${terms.trim()}`;
}

/** The license names nobody, so the text of any package is valid for all. */
const apacheText = (): string =>
  readFileSync(join(ROOT, 'node_modules/@aws-sdk/client-dynamodb/LICENSE'), 'utf8').trim();

function textsOf(folder: string, license: string): string {
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|notice)/i.test(name));
  if (names.length === 0 && license === 'MIT') return readmeText(folder);
  if (names.length === 0 && license === 'Apache-2.0') return apacheText();
  if (names.length === 0) throw new Error(`${folder} has no text of its licence`);
  return names
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim())
    .join('\n\n');
}

export function thirdPartyLicences(...builds: readonly Metafile[]): string {
  const packages = new Map<string, string[]>();
  for (const folder of new Set(builds.flatMap(foldersOf))) {
    const path = join(ROOT, folder);
    const { name, version, license } = description.parse(
      JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')),
    );
    const text = textsOf(path, license);
    packages.set(text, [...(packages.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  return [...packages]
    .map(([text, names]) => `${[...new Set(names)].sort().join('\n')}\n\n${text}\n`)
    .sort()
    .join(`\n${'-'.repeat(80)}\n\n`);
}
