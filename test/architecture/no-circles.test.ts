import { expect, it } from 'vitest';
import { readSource, readSources, type SourceFile } from './source-file.ts';

const FOLDERS = ['shared', 'functions', 'pages', 'lib', 'bin', 'local', 'sdk', 'bench'];

function circleIn(files: readonly SourceFile[]): readonly string[] | undefined {
  const imports = new Map(
    files.map(({ path, imports }) => [
      path,
      imports.filter(({ isOurs }) => isOurs).map(({ target }) => target),
    ]),
  );
  const done = new Set<string>();
  function follow(path: string, way: readonly string[]): readonly string[] | undefined {
    const at = way.indexOf(path);
    if (at !== -1) return [...way.slice(at), path];
    if (done.has(path)) return undefined;
    for (const target of imports.get(path) ?? []) {
      const circle = follow(target, [...way, path]);
      if (circle !== undefined) return circle;
    }
    done.add(path);
    return undefined;
  }
  for (const path of imports.keys()) {
    const circle = follow(path, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

it('finds no circular imports', () => {
  const files = readSources(FOLDERS);
  expect(files.length).toBeGreaterThan(200);
  expect(circleIn(files)).toBeUndefined();
});

it('reports the files of a circular import, even if it imports only types', () => {
  const files = [
    readSource('lib/a.ts', "import { b } from './b.ts';"),
    readSource('lib/b.ts', "import type { C } from './sub/c.ts';"),
    readSource('lib/sub/c.ts', "export type { B } from '../b.ts';"),
  ];
  expect(circleIn(files)).toEqual(['lib/b.ts', 'lib/sub/c.ts', 'lib/b.ts']);
});
