import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { parseSync, Visitor } from 'rolldown/utils';
import { describe, expect, it } from 'vitest';
import { readDocs } from '../../bin/admin/docs-command.ts';
import { NPM_PACKAGES, SCOPE } from '../../bin/build/packages.ts';
import { packed } from './support/fresh-app.ts';

const DOCS = new URL('../../docs/', import.meta.url);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (...path: string[]) => readFileSync(join(...path), 'utf8');
const { version, workspaces } = JSON.parse(read(ROOT, 'package.json'));

type Statement = ReturnType<typeof parseSync>['program']['body'][number];
type TypeNode = Extract<Statement, { readonly type: 'TSTypeAliasDeclaration' }>['typeAnnotation'];
interface Placed {
  readonly start: number;
}

/** Members of interfaces, classes and object types. The description of a union covers its branches. */
function membersOf(node: Statement | TypeNode): readonly Placed[] {
  if (node.type === 'TSIntersectionType') return node.types.flatMap(membersOf);
  if (node.type === 'TSTypeAliasDeclaration') return membersOf(node.typeAnnotation);
  if (node.type === 'TSTypeLiteral') return node.members;
  return node.type === 'TSInterfaceDeclaration' || node.type === 'ClassDeclaration' ? node.body.body : [];
}

/** Exports without a description, and such members of them and of the types that they name. */
function undocumented(folder: string, entries: readonly string[]): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const declared = files
    .filter((file) => file.endsWith('.d.ts'))
    .flatMap((file) => {
      const text = read(folder, file);
      const { program, comments } = parseSync(file, text);
      const ends = comments.filter(({ value }) => value.startsWith('*')).map(({ end }) => end);
      const isBare = ({ start }: Placed) =>
        !ends.some((end) => end <= start && !text.slice(end, start).trim());
      return program.body.map((statement) => {
        const names: string[] = [];
        new Visitor({ Identifier: ({ name }) => names.push(name) }).visit({ ...program, body: [statement] });
        const exported = statement.type === 'ExportNamedDeclaration' ? statement.declaration : null;
        const [, name = ''] =
          /(?:interface|type|function|class|const) (\w+)/.exec(text.slice(statement.start)) ?? [];
        const isPublic = ({ start }: Placed) => !/^(private |#)/.test(text.slice(start));
        const wanted = exported === null ? [] : [statement, ...membersOf(exported).filter(isPublic)];
        const bare = wanted.filter(isBare).map(({ start }) => `${name}: ${text.slice(start).split('\n')[0]}`);
        return { file, name, names, bare };
      });
    });
  const reached = new Set(
    declared.filter(({ file }) => entries.includes(file)).flatMap(({ names }) => names),
  );
  for (const name of reached)
    for (const { names } of declared.filter((one) => one.name === name))
      for (const next of names) reached.add(next);
  return declared.filter(({ name }) => reached.has(name)).flatMap(({ bare }) => bare);
}

it('lists every workspace', () => {
  expect(NPM_PACKAGES.map(({ folder }) => folder).toSorted()).toEqual(workspaces.toSorted());
});

it('gives the Python package the same version', () => {
  expect(read(ROOT, 'sdk/python/pyproject.toml')).toContain(`\nversion = "${version}"\n`);
});

describe.each(NPM_PACKAGES)('$name', ({ name, folder: source, budgets }) => {
  const { tarball, folder } = packed(name);
  const description = JSON.parse(read(folder, 'package.json'));

  it("has a scoped name, the project's version and license, and its own README", () => {
    const { name: full, version: own, license, sideEffects, files } = description;
    expect([full, own, license]).toEqual([`${SCOPE}/${name}`, version, 'MIT']);
    expect([typeof sideEffects === 'boolean' || Array.isArray(sideEffects), files]).toEqual([true, ['dist']]);
    expect(read(folder, 'LICENSE')).toBe(read(ROOT, 'LICENSE'));
    expect(read(folder, 'README.md')).toContain(`# ${SCOPE}/${name}\n`);
    expect(read(ROOT, source, 'README.md')).toBe(read(folder, 'README.md'));
    expect(description.keywords).toEqual(expect.arrayContaining(['surveys', 'feedback']));
  });

  it('has a README whose links stay inside the package', () => {
    const readme = read(folder, 'README.md');
    expect([...readme.matchAll(/\]\((?!#|https:)[^)]*\)/g)].map(([link]) => link)).toEqual([]);
    const pages = [...readme.matchAll(/`(?:canvass|npx @canvass-surveys\/cli) docs ([a-z][\w/#-]*)`/g)];
    expect(pages.length).toBeGreaterThan(0);
    for (const [, page] of pages) {
      if (page !== 'changelog') expect(readDocs(DOCS, page)).toMatch(/^#/);
    }
  });

  it('depends only on packages of the scope, in the same version', () => {
    const { dependencies = {}, optionalDependencies } = description;
    for (const [dependency, wanted] of Object.entries(dependencies))
      expect([dependency.split('/')[0], wanted]).toEqual([SCOPE, version]);
    // The embedded database, optional because npm omits it on some machines.
    const database = name === 'cli' ? JSON.parse(read(ROOT, 'package.json')).optionalDependencies : undefined;
    expect(optionalDependencies).toEqual(database);
  });

  it('has source maps of its modules, without paths of the build machine', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const maps = files.filter((file) => file.endsWith('.map'));
    expect(maps.length).toBeGreaterThan(0);
    for (const map of maps) {
      const { sources } = JSON.parse(read(folder, map));
      expect(sources.filter((path: string) => !path.startsWith('../'))).toEqual([]);
    }
    const texts = files.filter((file) => /\.(c?js|mjs|d\.c?ts|map)$/.test(file));
    expect(texts.filter((file) => read(folder, file).includes(ROOT))).toEqual([]);
  });

  it('declares what its exports reach, and no internals', () => {
    const reached = new Set(
      JSON.stringify(description.exports)
        .match(/[^"]+\.d\.c?ts/g)
        ?.map((file) => normalize(file)),
    );
    for (const file of reached) {
      for (const [, path = ''] of read(folder, file).matchAll(/(?:from |import\()'(\.[^']+)'/g))
        reached.add(join(dirname(file), path.replace(/\.(c?)js$/, '.d.$1ts')));
    }
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => /\.d\.c?ts$/.test(file)).toSorted()).toEqual([...reached].toSorted());
  });

  it.each([...budgets])('has at most $bytes bytes after gzip in $file', ({ file, bytes }) => {
    expect(gzipSync(readFileSync(join(folder, file)), { level: 9 }).length).toBeLessThanOrEqual(bytes);
  });

  it.runIf(description.exports['.'])('documents every export and member', () => {
    const entries: string[] = [...new Set(JSON.stringify(description.exports).match(/[^"]+\.d\.ts/g))];
    expect(undocumented(folder, entries.map(normalize))).toEqual([]);
  });

  it('passes publint', async () => {
    const { messages, pkg } = await publint({ pkgDir: folder, strict: true, pack: false });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  it.runIf(description.exports['.'])('resolves its types for every kind of import', () => {
    const attw = join(ROOT, 'node_modules/@arethetypeswrong/cli/dist/index.js');
    // `engines` excludes Node 10, and packages for pages are ES modules only.
    const profile = description.exports['.'].require ? 'node16' : 'esm-only';
    const args = [attw, tarball, '--profile', profile, '--format', 'json', '--no-definitely-typed'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect({ status, said: status === 0 ? '' : `${stdout.slice(0, 3_000)}${stderr}` }).toEqual({
      status: 0,
      said: '',
    });
  });

  it('can be published', () => {
    // No registry listens there, and a dry run needs none.
    const nobody = ['--registry', 'http://127.0.0.1:9', '--fetch-retries', '0'];
    const args = ['publish', tarball, '--dry-run', '--access', 'public', '--json', ...nobody];
    const { status, stdout, stderr } = spawnSync('npm', args, { encoding: 'utf8' });
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain(`"${SCOPE}/${name}@${version}"`);
  });
});
