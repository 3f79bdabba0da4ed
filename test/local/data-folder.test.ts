import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writePrivateFile } from '../../local/data-folder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

it('replaces a file as a whole, readable only by its owner', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'a.json');
  writeFileSync(file, 'old', { mode: 0o644 });
  writePrivateFile(file, 'new');
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(lstatSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['a.json']);
});

it('writes to the target of a link and keeps the link', () => {
  const folder = temporaryFolder();
  const [file, link] = [join(folder, 'a.json'), join(folder, 'link.json')];
  writeFileSync(file, 'old');
  symlinkSync('a.json', link);
  writePrivateFile(link, 'new');
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
});

it.each([
  ['a pipe', (path: string) => void execFileSync('sh', ['-c', 'mkfifo "$0"', path])],
  ['a folder', (path: string) => mkdirSync(path)],
  ['a link to nothing', (path: string) => symlinkSync('nowhere', path)],
])('does not replace %s', (_, make) => {
  const path = join(temporaryFolder(), 'a.json');
  make(path);
  const before = lstatSync(path);
  expect(() => writePrivateFile(path, 'new')).toThrow(`${path} is no regular file.`);
  expect(lstatSync(path).ino).toBe(before.ino);
});

it('cannot write below a file', () => {
  const file = join(temporaryFolder(), 'a.json');
  writeFileSync(file, '');
  expect(() => writePrivateFile(join(file, 'b.json'), 'new')).toThrow('b.json cannot be written.');
});
