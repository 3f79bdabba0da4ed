import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

interface Import {
  /** A path from the repository's root, or a package specifier. */
  readonly target: string;
  readonly isOurs: boolean;
  readonly isTypeOnly: boolean;
  readonly text: string;
}

export interface SourceFile {
  readonly path: string;
  readonly imports: readonly Import[];
  /** Without comments. */
  readonly code: string;
}

const IMPORT = /\b(?:import|export)\s+(type\s)?[^'";]*?\bfrom\s*'([^']+)'|\bimport(?:\s+|\s*\(\s*)'([^']+)'/g;

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');
}

export function readSource(path: string, text: string): SourceFile {
  const code = withoutComments(text);
  const imports = [...code.matchAll(IMPORT)].map(([matched, type, from, bare]): Import => {
    const target = from ?? bare ?? '';
    const isOurs = target.startsWith('.');
    return {
      target: isOurs ? normalize(join(dirname(path), target)) : target,
      isOurs,
      isTypeOnly: type !== undefined,
      text: matched,
    };
  });
  return { path, imports, code };
}

export function readSources(folders: readonly string[]): SourceFile[] {
  return folders
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT, exclude: ['**/dist/**'] }))
    .map((path) => readSource(path.replaceAll('\\', '/'), readFileSync(join(ROOT, path), 'utf8')));
}
