import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TSC = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url));

export const RESOLUTIONS = [
  { module: 'preserve', moduleResolution: 'bundler' },
  { module: 'node16', moduleResolution: 'node16' },
] as const;

export function typeErrors(
  app: string,
  files: Readonly<Record<string, string>>,
  compilerOptions: object = RESOLUTIONS[0],
): string {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(app, name), text);
  const options = {
    strict: true,
    noEmit: true,
    target: 'es2022',
    jsx: 'react-jsx',
    types: [],
    skipLibCheck: false,
    lib: ['es2022', 'dom', 'dom.iterable'],
  };
  const project = join(app, 'tsconfig.json');
  writeFileSync(
    project,
    JSON.stringify({ compilerOptions: { ...options, ...compilerOptions }, files: Object.keys(files) }),
  );
  try {
    return execFileSync(process.execPath, [TSC, '--project', project], { encoding: 'utf8' });
  } catch (error) {
    return String((error as { stdout: string }).stdout);
  } finally {
    for (const name of Object.keys(files)) rmSync(join(app, name));
  }
}
